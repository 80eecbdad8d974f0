#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the size of the code and its folders: scripts/layers.py [--check]

Prints lines of production and test code, the sources of each folder, the largest files, and the short functions with a
single call. After a build it prints the circles: files of one wing that call each other. --check fails on an include
that its wing may not use (USES_* of the Makefile), on a use that no include needs, on a folder with more than
MOST_FILES sources, on a circle, and on more than MOST_EXAMPLES bytes in reports/examples.
"""
import collections
import pathlib
import re
import subprocess
import sys

import wings

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_FILES = 35
MOST_EXAMPLES = 10_000_000
SHORT = 4  # lines in the body of a short function
FUNCTION = re.compile(r"^static (?:inline )?[^=;{}]*?\b(\w+)\([^;{}]*\) \{\n(.*?)^}", re.M | re.S)


def files(*folders):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *folders], cwd=ROOT, check=True,
                            text=True, capture_output=True).stdout
    return [ROOT / name for name in listed.split() if (ROOT / name).is_file()]


def sources():
    return [path for path in files("harness", "reference") if path.suffix in (".c", ".h")]


def wing(path):
    return wings.wing_of(str(path.relative_to(ROOT)))


def crossings(paths):
    """Yields each include of another wing: the file, its line, and the header."""
    for path in paths:
        for line, text in enumerate(path.read_text().split("\n"), 1):
            found = re.match(r'#include "([^"]+)"', text)
            target = found and (path.parent / found.group(1)).resolve()
            if target and target.is_relative_to(ROOT) and wing(path) and wing(path) != wing(target):
                yield path, line, target


def not_allowed(paths):
    for path, line, target in crossings(paths):
        if wing(target) not in wings.USES[wing(path)]:
            yield f"{path.relative_to(ROOT)}:{line}: {wing(path)} may not use {target.relative_to(ROOT)}, of {wing(target)}"


def symbols(path):
    """Returns what an object file defines, and what it takes from others."""
    listed = subprocess.run(["nm", path], check=True, text=True, capture_output=True).stdout
    rows = [line.split()[-2:] for line in listed.splitlines()]
    return {name for kind, name in rows if kind in "TDRBVW"}, {name for kind, name in rows if kind == "U"}


def circles(paths):
    """Yields the circles of each wing: files that reach each other through calls. Without a build there are none."""
    objects = collections.defaultdict(list)
    for path in paths:
        for build in ("build-lint/gcc", "build"):
            made = [ROOT / build / path.relative_to(ROOT).with_suffix(end) for end in (".o", ".f64.o")]
            found = [file for file in made if file.exists()]
            if found:
                objects[wing(path)].append((path, *symbols(found[0])))
                break
    for files_of in objects.values():
        owner = {name: path for path, defined, _ in files_of for name in defined}
        calls = {path: {owner[name] for name in taken if name in owner} - {path} for path, _, taken in files_of}
        reach = {}
        for path in calls:
            reach[path], left = set(), [path]
            while left:
                more = calls[left.pop()] - reach[path]
                reach[path] |= more
                left += more
        done = set()
        for path in sorted(calls):
            circle = {other for other in reach[path] if path in reach[other]}
            if circle and path not in done:
                done |= circle
                yield " ".join(str(other.relative_to(ROOT)) for other in sorted(circle))


def called_once(paths):
    """Yields the static functions of at most SHORT lines that are used only by one call. Those of headers may be called
    in any file."""
    texts = {path: re.sub(r"//.*", "", path.read_text()) for path in paths}
    words = collections.Counter(word for text in texts.values() for word in re.findall(r"\w+", text))
    for path, text in texts.items():
        for function in FUNCTION.finditer(text):
            name, body = function.groups()
            uses = re.findall(rf"\b{name}\b(\(?)", text)
            elsewhere = path.suffix == ".h" and words[name] > len(uses)
            if body.count("\n") <= SHORT and uses == ["(", "("] and not elsewhere:
                yield f"{path.relative_to(ROOT)}: {name}"


def main():
    paths = sources()
    tests = [path for path in paths if "tests" in path.parts]
    production = [path for path in paths if "tests" not in path.parts]
    lines = {path: path.read_text().count("\n") for path in paths}
    folders = collections.Counter(path.parent for path in production)
    print(f"production code: {len(production)} files, {sum(lines[path] for path in production)} lines")
    print(f"tests: {len(tests)} files, {sum(lines[path] for path in tests)} lines")
    print("files of each folder: " + ", ".join(f"{folder.relative_to(ROOT)} {count}" for folder, count in folders.most_common()))
    largest = sorted(production, key=lines.get, reverse=True)[:5]
    print("largest files: " + ", ".join(f"{path.relative_to(ROOT)} {lines[path]}" for path in largest))
    print(f"functions of at most {SHORT} lines with one call: {len(list(called_once(production)))}")
    examples = sum(path.stat().st_size for path in files("reports/examples"))
    print(f"examples: {examples / 1e6:.1f} MB")
    faults = list(not_allowed(production))
    read = {target for _, _, target in crossings(production)}
    pairs = {(wing(path), wing(target)) for path, _, target in crossings(production)}
    allowed = sum(len(uses) for uses in wings.USES.values())
    print(f"wings: {len(wings.WINGS)}, {allowed} pairs allowed, {len(pairs)} used; headers read from another wing: {len(read)}")
    if allowed > len(pairs):
        faults.append("USES_* of the Makefile allow pairs that no include needs: " + ", ".join(
            f"{one} {other}" for one, uses in wings.USES.items() for other in uses if (one, other) not in pairs))
    found = list(circles([path for path in production if path.suffix == ".c"]))
    print(f"circles of files within a wing: {len(found)}" + "".join(f"\n  {circle}" for circle in found))
    if found:
        faults.append(f"{len(found)} circles of files")
    if examples > MOST_EXAMPLES:
        faults.append(f"reports/examples: {examples} bytes, at most {MOST_EXAMPLES}; compress results by gzip -n -9")
    faults += [f"{folder.relative_to(ROOT)}: {count} sources, at most {MOST_FILES}" for folder, count in folders.items()
               if count > MOST_FILES]
    print("\n".join(f"layers: {fault}" for fault in faults) or "every include stays within what its wing may use")
    return 1 if faults and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
