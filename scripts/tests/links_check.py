#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each link of the repository's markdown, and of pages made on demand, leads to a file, and to a heading if it names
one.

usage: links_check.py [PAGE...]
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def anchors(path):
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def links(path):
    """Yields the links of a page, except those in blocks of code, with their line numbers."""
    code = False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        code ^= line.startswith("```")
        if not code:
            yield from ((number, link) for link in re.findall(r"\]\(([^)\s]+)\)", line))


def wrong(page, link):
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    if re.match(r"[a-z]+:", link):
        return False
    if not target.exists():
        return True
    # Pages may define anchors of their own by an id.
    return bool(anchor and target.suffix == ".md" and f'id="{anchor}"' not in target.read_text(encoding="utf-8")
                and anchor not in anchors(target))


def main():
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    pages = listed.stdout.split() + sys.argv[1:]
    faults = [f"{page}:{number}: {link} leads nowhere" for page in pages for number, link in links(ROOT / page)
              if wrong(ROOT / page, link)]
    print("\n".join(faults) or f"{len(pages)} pages: every link leads somewhere")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
