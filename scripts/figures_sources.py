# SPDX-License-Identifier: Apache-2.0
"""The results that figures are made of."""
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "reports/examples"


class Refused(Exception):
    """A result that says nothing of a commit, or names a folder of the machine that made it."""


READ = []  # (name, value) of each result that was read, for who tells of those that are historical


def historical(value):
    """Whether a result, or a table made of one, is marked as of kernels whose sources have changed since."""
    return bool(value.get("historical") or (value.get("run") or {}).get("historical"))


def footnote(read):
    """A line for a page made of results of which some are historical; "": none is."""
    old = sorted({f"{name} ({(value.get('tool') or {}).get('git')})" for name, value in read if historical(value)})
    return f"Historical, as sources of kernels have changed since: {', '.join(old)}.\n" if old else ""


def revision(tool):
    """The commit that made it: none, where the tree was dirty or is not known."""
    git = (tool or {}).get("git") or ""
    return None if not git or git == "unknown" or git.endswith("-dirty") else git


def result(path):
    """The JSON of a file whose `tool` was built from a commit."""
    with open(path) as file:
        value = json.load(file)
    if not revision(value.get("tool")):
        made = (value.get("tool") or {}).get("git", "no revision at all")
        raise Refused(f"{path}: made by {made}, which is no commit; measure again with a clean tree")
    suite_file = (value.get("run") or {}).get("suite_file") or ""
    if suite_file.startswith("/"):
        raise Refused(f"{path}: run.suite_file is {suite_file}, a path of one machine; keep the part from suites/ on")
    READ.append((pathlib.Path(path).name, value))
    return value


def page_with_card(folder, name, path):
    """A page that the program wrote, as `path`, and the card beside it, under a name of its own."""
    card, = folder.glob("card-*.png")
    return {path: (folder / name).read_text(), path.parent / f"card-{path.stem}.png": card.read_bytes()}
