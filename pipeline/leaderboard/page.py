"""Draws the leaderboard: one HTML page that asks for nothing and runs no script but its own."""

import base64
import hashlib
import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any

from pipeline.leaderboard.answers import Answers
from pipeline.leaderboard.figures import Board, TaskBoard
from pipeline.leaderboard.plots import COLOURS, fairness, tier_curves
from pipeline.leaderboard.tables import languages, overview, ranking

# JSON is a part of JavaScript but for these; "<" could end or hide the element that it stands in.
UNSAFE = {"<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029"}
LOCAL = (
    "This page holds texts of a release of the profile <code>local</code>, which may not be "
    "passed on; neither may the page."
)
ABOUT = (
    "Means weigh subsets alike; behind them stand 95 % intervals, by the bootstrap over clusters "
    "of queries about the same concepts. Systems of one rank group are told apart by no paired "
    "permutation test at the 5 % level, after Holm’s correction over all comparisons of this page. "
    "The gap is English minus the mean of the other languages, the spread the best language minus "
    "the worst, both over the queries that every language has."
)
FILTERS = """<form id="filters" role="search">
<label>Set<select id="set"></select></label>
<label>Language<select id="lang"></select></label>
<label>Answers<select id="show"><option value="all">any</option>
<option value="none">right by no system</option><option value="some">right by some, wrong by others
</option><option value="every">right by every system</option></select></label>
<label class="find">Find in any language, or by id<input id="find" type="search"></label>
</form>
<p id="count" role="status"></p>
<div class="wide"><table id="queries"><caption>Queries</caption><thead><tr>
<th scope="col">query</th><th scope="col" class="text">text</th><th scope="col">right</th>
</tr></thead><tbody></tbody></table></div>
<div class="pages"><button id="before" type="button">before</button><span id="page"></span>
<button id="after" type="button">after</button></div>
<article id="detail" hidden></article>"""


def render(board: Board, answers: Answers) -> str:
    """The whole page."""
    style, script = _source("page.css"), _source("page.js")
    title = escape(f"{board.title} {board.version}: leaderboard")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(style, script)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<h1>{title}</h1>\n{_opening(board)}\n<main>\n{_sections(board)}\n"
        '<section id="browser"><h2>Query by query</h2>\n<noscript><p>Needs JavaScript.</p>'
        f"</noscript>\n{FILTERS}\n</section>\n</main>\n"
        f'<script type="application/json" id="answers">{safe_json(answers.as_json())}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def safe_json(value: Mapping[str, Any]) -> str:
    """JSON that nothing in it can break out of a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for letter, written in UNSAFE.items():
        text = text.replace(letter, written)
    return text


def _opening(board: Board) -> str:
    links = [("#overview", "all tasks"), *((f"#{one.task}", one.task) for one in board.tasks)]
    parts = " ".join(
        f'<a href="{escape(to)}">{escape(name)}</a>'
        for to, name in [*links, ("#browser", "query by query")]
    )
    warning = f'\n<p class="warning">{LOCAL}</p>' if board.profile == "local" else ""
    return (
        f'<nav class="parts" aria-label="Parts of this page">{parts}</nav>{warning}\n'
        f'<p class="note">{ABOUT}</p>\n<p class="note">Signature: '
        f"<code>{escape(board.signature)}</code></p>"
    )


def _sections(board: Board) -> str:
    colours = {run: place % COLOURS for place, run in enumerate(board.runs)}
    whole = f'<section id="overview"><h2>All tasks</h2>\n{overview(board)}</section>'
    return "\n".join([whole, *(_section(task, colours) for task in board.tasks)])


def _section(task: TaskBoard, colours: Mapping[str, int]) -> str:
    plots = [tier_curves(task, colours)] if task.tiers else []
    plots += filter(None, [fairness(task, colours)])
    title = "Tiers and fairness" if task.tiers else "Fairness"
    drawn = f'<h3>{title}</h3>\n<div class="plots">{"".join(plots)}</div>' if plots else ""
    name = escape(task.task)
    return (
        f'<section id="{name}"><h2>{name}</h2>\n{ranking(task)}\n<h3>Languages</h3>\n'
        '<p class="note">The stronger the colour, the nearer to the best value of the table.</p>\n'
        f"{languages(task)}\n{drawn}</section>"
    )


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _source(name: str) -> str:
    return files("pipeline.leaderboard").joinpath(name).read_text("utf-8")
