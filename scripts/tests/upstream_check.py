#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the programs of kernels/UPSTREAM.md, and compares their output with the line below each.

usage: upstream_check.py [CC]
"""

import pathlib
import re
import subprocess
import sys
import tempfile

PAGE = pathlib.Path(__file__).resolve().parents[2] / "kernels/UPSTREAM.md"
PROGRAM = re.compile(r"```c\n(?P<text>.*?)```\n\n```text\n(?P<line>[^\n]*)\n```", re.DOTALL)


def prints(compiler, text, folder):
    """Returns the output of a program, compiled without contractions, so that floats are as in the shader."""
    source, program = folder / "upstream.c", folder / "upstream"
    source.write_text(text, encoding="utf-8")
    flags = ["-std=c17", "-O1", "-ffp-contract=off", "-fno-builtin"]
    subprocess.run([*compiler.split(), *flags, "-o", program, source, "-lm"], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.strip()


def main(compiler="cc"):
    """Ends with 1 if a program prints something else."""
    page = PAGE.read_text(encoding="utf-8")
    programs = list(PROGRAM.finditer(page))
    assert len(programs) == page.count("```c\n") > 0, "each program has a line below it"
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            found = prints(compiler, program["text"], pathlib.Path(folder))
            if found != program["line"]:
                wrong += 1
                print(f"kernels/UPSTREAM.md prints {program['line']!r}; its program prints {found!r}")
    print(f"{len(programs)} programs, {wrong} of them print something else")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
