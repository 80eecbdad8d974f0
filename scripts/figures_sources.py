# SPDX-License-Identifier: Apache-2.0
"""Reads the results for figures, and refuses unsuitable ones."""
import json
import pathlib

import packed

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "reports/examples"


class Refused(Exception):
    """A result without a commit, or with a folder of the machine that made it."""


READ = []  # (name, value) of each result that was read, for the footnote on historical ones


def historical(value):
    """Returns whether a result, or a table made from one, is marked: the sources of its kernels have changed since."""
    return bool(value.get("historical") or (value.get("run") or {}).get("historical"))


def footnote(read):
    """Returns a line that names the historical results of a page; "" if there are none."""
    old = sorted({f"{name} ({(value.get('tool') or {}).get('git')})" for name, value in read if historical(value)})
    return f"Historical, as sources of kernels have changed since: {', '.join(old)}.\n" if old else ""


def revision(tool):
    """Returns the commit of the program; None if the tree was dirty or is unknown."""
    git = (tool or {}).get("git") or ""
    return None if not git or git == "unknown" or git.endswith("-dirty") else git


def result(path):
    """Reads a JSON file, and refuses it unless its `tool` was built from a commit."""
    value = json.loads(packed.read(path))
    if not revision(value.get("tool")):
        made = (value.get("tool") or {}).get("git", "no revision at all")
        raise Refused(f"{path}: made by {made}, which is no commit; measure again with a clean tree")
    suite_file = (value.get("run") or {}).get("suite_file") or ""
    if suite_file.startswith("/"):
        raise Refused(f"{path}: run.suite_file is {suite_file}, a path of one machine; keep the part from suites/ on")
    READ.append((f"{packed.stem(path)}.json", value))
    return value


def page_with_card(folder, name, path):
    """Returns {path: content} of a page written by the program, and of the card beside it, named after the page."""
    card, = folder.glob("card-*.png")
    return {path: (folder / name).read_text(), path.parent / f"card-{path.stem}.png": card.read_bytes()}
