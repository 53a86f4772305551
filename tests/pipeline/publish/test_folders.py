"""Publishing to a folder: whole, resumed, never over another build."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.publish.folders import copy_release, missing_files
from pipeline.publish.outgoing import PublishError, read_outgoing


def test_a_copy_is_whole_and_made_once(write_release: Callable[..., Path], tmp_path: Path) -> None:
    outgoing, target = read_outgoing(write_release()), tmp_path / "shelf"
    assert len(missing_files(outgoing, str(target))) == len(outgoing.files)
    assert copy_release(outgoing, f"file://{target}/").endswith("5 of 5 files were copied")
    copied = {file.path: (target / "1.0.0" / file.path).read_bytes() for file in outgoing.files}
    assert copied == {file.path: file.local.read_bytes() for file in outgoing.files}
    assert copy_release(outgoing, str(target)).endswith("1.0.0 is published")


def test_a_copy_that_was_cut_short_goes_on(
    write_release: Callable[..., Path], tmp_path: Path
) -> None:
    outgoing, target = read_outgoing(write_release()), tmp_path / "shelf"
    copy_release(outgoing, str(target))
    (target / "1.0.0" / "manifest.json").unlink()
    (target / "1.0.0" / "README.md").write_bytes(b"cut sh")
    assert copy_release(outgoing, str(target)).endswith("2 of 5 files were copied")


def test_another_build_is_never_written_over(
    write_release: Callable[..., Path], tmp_path: Path
) -> None:
    copy_release(read_outgoing(write_release()), str(tmp_path / "shelf"))
    other = read_outgoing(write_release({"README.md": b"another"}))
    with pytest.raises(PublishError, match="holds another build"):
        copy_release(other, str(tmp_path / "shelf"))


def test_an_unknown_file_system_names_the_remedy(
    write_release: Callable[..., Path],
) -> None:
    with pytest.raises(PublishError, match="install"):
        copy_release(read_outgoing(write_release()), "nowhere://bucket")


def test_a_file_that_changed_since_the_build_is_named(write_release: Callable[..., Path]) -> None:
    release = write_release()
    (release / "overlap.json").write_text("{ }")
    with pytest.raises(PublishError, match=r"overlap\.json: changed since the build"):
        read_outgoing(release)


def test_what_is_no_release_is_named(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match=r"no manifest\.json"):
        read_outgoing(tmp_path)


def test_no_copy_lies_within_the_release(write_release: Callable[..., Path]) -> None:
    release = write_release()
    before = sorted(release.rglob("*"))
    for place in (release, release / "copies", f"file://{release}/copies"):
        with pytest.raises(PublishError, match="within the release"):
            copy_release(read_outgoing(release), str(place))
    assert sorted(release.rglob("*")) == before
