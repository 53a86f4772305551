"""Runs the worked examples on a fresh build and puts their output into README and tutorial.

make examples
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/tutorial.md")
RELEASE = "build/sample/0.1.0"
BUILD = "mmed-bench build sample --output build"
RETRIEVE = f"mmed-bench retrieve {RELEASE} --system bm25 --output runs/bm25"
SCORE = f"mmed-bench score {RELEASE} runs/bm25"
LOAD = f'''from datasets import load_dataset

release = "{RELEASE}"
queries = load_dataset(release, "qa-ja-queries", split="test")
qrels = load_dataset(release, "qa-ja-qrels", split="test")
corpus = load_dataset(release, "qa-ja-corpus", split="test")

texts = {{document["_id"]: document["text"] for document in corpus}}
query, judgement = queries[0], qrels[0]
print(len(queries), "queries,", len(corpus), "documents")
print(query["text"], query["cuis"], query["origin"])
print(judgement["corpus-id"], texts[judgement["corpus-id"]][:60])
'''
REJECTS = f'''import pyarrow.parquet as pq

rejects = pq.read_table("{RELEASE}/quality/rejects.parquet")
counts = rejects.group_by(["stage", "reason"]).aggregate([("key", "count")])
for row in counts.sort_by([("stage", "ascending"), ("reason", "ascending")]).to_pylist():
    print(row["stage"], row["reason"], row["key_count"], sep=", ")
'''


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        built = run(BUILD, room)
        examples = {
            "retrieve": retrieving(room),
            "load": program(LOAD, room),
            "rejects": program(REJECTS, room),
        }
    summary = built[built.index("Queries released") :]
    put(ROOT / PAGES[0], examples | {"build": console(BUILD, "…\n" + summary)})
    put(ROOT / PAGES[1], examples | {"build": console(BUILD, built)})


def run(command: str, room: Path) -> str:
    """What a command prints, as it would on a terminal of 100 columns."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COLUMNS": "100",
        "HF_HOME": str(room / "hub"),
        "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    }
    done = subprocess.run(
        command.split(), cwd=room, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return "\n".join(line.rstrip() for line in done.stdout.rstrip().splitlines())


def retrieving(room: Path) -> str:
    """Retrieval and the parts of its score that show the most."""
    retrieved = run(RETRIEVE, room).splitlines()
    head, qa, concepts, _, means, *_, signature = run(SCORE, room).split("\n\n")
    columns, *rows = concepts.splitlines()
    tiers = [row for row in rows if re.match(r"concepts( (easy|medium|hard|macro)|-\w+-en)", row)]
    scored = (head, qa, "\n".join([columns, "…", *tiers]), "…", means, "…", signature)
    return "\n\n".join(
        (
            console(RETRIEVE, "\n".join([*retrieved[:5], "…", retrieved[-1]])),
            console(SCORE, "\n\n".join(scored)),
        )
    )


def program(code: str, room: Path) -> str:
    (room / "example.py").write_text(code, "utf-8")
    return f"```python\n{code}```\n\n```\n{run('python example.py', room)}\n```"


def console(command: str, output: str) -> str:
    return f"```console\n$ {command}\n{output}\n```"


def put(page: Path, examples: dict[str, str]) -> None:
    """Replace what stands between an example's marks."""
    text = page.read_text("utf-8")
    for name, example in examples.items():
        marked = rf"(<!-- example: {name} -->\n).*?(\n<!-- end -->)"
        text = re.sub(marked, lambda m, e=example: f"{m[1]}\n{e}\n{m[2]}", text, flags=re.DOTALL)
    page.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
