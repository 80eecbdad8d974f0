# SPDX-License-Identifier: Apache-2.0
"""Checks the numbers with units in pages that people write. Each is made by a script, between marks, or
scripts/numbers.json names its source: a file or a specification."""
import json
import re

from figures_sources import ROOT

ALLOWED = ROOT / "scripts/numbers.json"
FOLDERS = ("harness", "kernels", "reference", "reports", "scripts", "suites")
LEFT_OUT = {"CHANGELOG.md"}  # its numbers were true at their time

MARKED = re.compile(r"<!-- figures: (\S+) -->.*?<!-- figures end -->", re.S)
CODE = re.compile(r"^```[a-z]+\n.*?^```$|`[^`\n]+`", re.S | re.M)  # blocks with a language, and inline code
NUMBER = r"\d(?:[\d,]*\d)?(?:\.\d+)?"
UNIT = (r"%|percent|x|times|fold|ns|us|ms|s|sec|(?:nano|micro|milli)?seconds?|minutes?|min|h|hours?|days?|[kKMGT]i?B|bytes|"
        r"[GT]FLOPs?|[GT]OPs?|ULPs?|[kMG]Hz|W|[Ww]atts?|J|[Jj]oules?|registers")
FIGURES = re.compile(
    rf"(?<![\w.^-]){NUMBER}(?:(?: to | and | or | or | of |-|–){NUMBER})?[\s-]?(?:{UNIT})(?![\w^])(?! \d)"  # 3.4 s, 2 to 4 us
    rf"|(?<![\w.^-]){NUMBER} of (?:all )?{NUMBER}\b(?!\.\d)"  # 31 of 39
    rf"|(?<![\w.^-])\d[\d,]*\.\d+(?![\w.])")  # 1.08
VERSION = re.compile(r"\b(?:Vulkan|SPIR-V|glibc|gcc|clang|cmocka|json-c|shaderc|[Mm]esa|lavapipe|Python|Android|OpenMPI) "
                     r"\d+\.\d+")


def flat(text):
    return re.sub(r"\s+", " ", text)


def prose(text):
    """Returns the text of a page outside marks, code and names with a version."""
    return VERSION.sub(" ", flat(CODE.sub(" ` ", MARKED.sub(" | ", text))))


def unsupported(page, text, allowed):
    """Returns a line for each number of the page without a source. Removes the entries it uses from `allowed`."""
    said = prose(text)
    for entry in [entry for entry in allowed if entry["page"] == page]:
        if entry["says"] in said:
            said = said.replace(entry["says"], " | ")
            allowed.remove(entry)
    return [f"{page}: \"{said[max(0, found.start() - 40):found.end() + 20].strip()}\": {found[0]} is made by no script: "
            "put it between marks, name its source in scripts/numbers.json, or leave it out"
            for found in FIGURES.finditer(said)]


def ill_founded(entries, root=ROOT):
    """Returns the entries without a specification whose source file is missing or lacks the text `holds`."""
    wrong = []
    for entry in entries:
        path = root / entry.get("source", "")
        held = "specification" in entry or (path.is_file() and entry["holds"] in flat(path.read_text()))
        if not held:
            wrong.append(f"numbers.json: \"{entry['says']}\": {entry.get('source', 'no source')} does not hold "
                         f"\"{entry.get('holds', '')}\"")
    return wrong


def pages():
    """Returns every page of the tree, as paths from the root."""
    found = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
    names = sorted(str(page.relative_to(ROOT)) for page in found)
    return [name for name in names if name not in LEFT_OUT and not name.startswith("reports/out/")]


def wrong(made):
    """Returns a line for each fault in the numbers of all pages, except pages that are made as a whole."""
    entries = json.loads(ALLOWED.read_text())
    left = list(entries)
    lines = [line for page in pages() if ROOT / page not in made
             for line in unsupported(page, (ROOT / page).read_text(), left)]
    return lines + ill_founded(entries) + [f"numbers.json: {entry['page']} does not say \"{entry['says']}\"" for entry in left]
