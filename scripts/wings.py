# SPDX-License-Identifier: Apache-2.0
"""The wings and components of the code. The Makefile declares the wings, and what each may use.

A component is a folder with tests. The folders below it belong to it, unless they have tests of their own.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
_TEXT = (ROOT / "Makefile").read_text().replace("\\\n", " ")


def _words(name):
    found = re.search(rf"^{name} :=(.*)$", _TEXT, re.M)
    return found.group(1).split() if found else []


WINGS = _words("WINGS")
USES = {wing: _words(f"USES_{wing}") for wing in WINGS}
FOLDERS = {wing: _words(f"FOLDERS_{wing}") or [f"harness/{wing}"] for wing in WINGS}
COMPONENTS = {path.parent.name: path.parent for top in ("harness", "reference") for path in sorted(ROOT.glob(f"{top}/**/tests"))
         if any(path.glob("*_test.c"))}


def wing_of(name):
    """Returns the wing of a file below ROOT, or None: main.c is of none."""
    for wing, folders in FOLDERS.items():
        if any(name.startswith(folder + "/") for folder in folders):
            return wing
    return None


def component_of(name):
    """Returns the component of a file: the nearest folder above it with tests."""
    inside = [(len(folder.parts), component) for component, folder in COMPONENTS.items() if (ROOT / name).is_relative_to(folder)]
    return max(inside)[1] if inside else None


def test_source(test):
    """Returns the source of a test program: engine/timing/tests/timing_test.c of timing-timing_test, or a file of blocks."""
    component, name = test.split("-", 1)
    folder = COMPONENTS.get(component, ROOT / component) / "tests"
    blocks = folder / "blocks" / f"{name.removesuffix('_test')}.txt"
    return blocks if blocks.exists() else folder / f"{name}.c"
