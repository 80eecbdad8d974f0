#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every option and setting of a run takes effect: scripts/tests/options_check.py

Each member of RUN_OPTIONS, SETTINGS and struct timing_settings must be set and read in some file. Without a copy, a new
member compiles and does nothing.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Each list: its file, a pattern of the whole list, and a pattern of one member.
LISTS = {
    "RUN_OPTIONS": ("harness/engine/plan/run_options.h", r"#define RUN_OPTIONS.*?#define", r"MEMBER\([^,]*, (\w+)\)"),
    "SETTINGS": ("harness/engine/plan/suite.h", r"#define SETTINGS.*?#define", r"MEMBER\([^,]*, (\w+)\)"),
    "struct timing_settings": ("harness/engine/timing/timing.h", r"struct timing_settings \{.*?\n\}", r"(\w+);"),
}
# Names of structures with such members.
HOLDERS = r"\b(?:options|settings|run|rule|own|timing|s|options_of\(s\))(?:\.|->)"
# Files with all members, without a use of any.
COPIES = {"harness/engine/supervise/protocol.c", "harness/engine/plan/suite.c", "harness/commands/options.c"}


def members(name):
    path, whole, one = LISTS[name]
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", (ROOT / path).read_text(), flags=re.S)
    return re.findall(one, re.search(whole, text, re.S).group(0))


def faults(name, texts):
    for member in members(name):
        place = rf"(?:AT\(run\.(?:settings\.)?|offsetof\(struct settings, ){member}\)"
        sets = re.compile(rf"(?<!\w)\.{member} = |{HOLDERS}{member} = |{place}")
        reads = re.compile(rf"{HOLDERS}{member}\b(?! = )")
        if not any(sets.search(text) for text in texts.values()):
            yield f"{name}: nothing sets {member}"
        if not any(reads.search(text) for path, text in texts.items() if path not in COPIES):
            yield f"{name}: nothing reads {member}"


def main():
    sources = [path for path in (ROOT / "harness").rglob("*.[ch]") if "tests" not in path.parts]
    texts = {str(path.relative_to(ROOT)): re.sub(r"//[^\n]*", "", path.read_text()) for path in sources}
    found = [fault for name in LISTS for fault in faults(name, texts)]
    count = sum(len(members(name)) for name in LISTS)
    print("\n".join(found) or f"{count} options and settings of runs are set and read")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
