# SPDX-License-Identifier: Apache-2.0
"""The results that figures are made of."""
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "reports/examples"


class Refused(Exception):
    """A result that says nothing of a commit."""


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
    return value
