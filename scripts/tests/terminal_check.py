#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the program on pseudo-terminals of 80 and 200 columns. No line may be wider than its terminal, except paths and
lines to be copied. Colours and erased lines appear only on terminals that support them.

usage: terminal_check.py PROGRAM
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata

import needs

ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
# Lines to be copied are not broken: paths and command lines.
WHOLE = re.compile(r"^(Result|Report|Journal|Claims|Table|Devices|Unexpected outcomes|    vkassay |  vkassay )|"
                   r"/tmp/|kernels/")
SHADER = ("#version 450\nlayout(local_size_x = 64) in;\nlayout(std430, binding = 0) readonly buffer X { float x[]; };\n"
          "layout(std430, binding = 1) writeonly buffer Y { float y[]; };\n"
          "layout(push_constant) uniform P { uint n; };\n"
          "void main() { uint i = gl_GlobalInvocationID.x; if (i < n) y[i] = max(x[i], 1.0); }\n")


def width(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def on_terminal(words, columns, folder, **environment):
    """Runs a command on a terminal of so many columns. Returns its output and exit status."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    env.update({"TERM": "xterm", **environment})
    child = subprocess.Popen(words, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    data = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        data += piece
    os.close(ours)
    return data.decode().replace("\r\n", "\n"), child.wait()


def check_widths(text, columns, words):
    for line in text.split("\n"):
        for part in ESCAPE.sub("", line).split("\r"):  # the progress line overwrites itself
            assert width(part) <= columns or WHOLE.search(part), \
                f"{words}: {width(part)} columns on a terminal of {columns}: {part!r}"


def need_terminals():
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        needs.end(f"missing: pseudo-terminals: {error}")


def main(program):
    program = os.path.abspath(program)
    with tempfile.TemporaryDirectory(prefix="vkassay-tty-") as folder:
        with open(os.path.join(folder, "計算機.comp"), "w", encoding="utf-8") as file:
            file.write(SHADER)
        effort = ["--timing", "seconds=0.01", "--out", "o"]
        wrong = ["try", "計算機.comp", "--operator", "relu", "--dims", "n=77", *effort]
        calls = [(["--help"], 0), (["bench", "--help"], 0), (["export", "--help"], 0), (["mutate", "--help"], 0),
                 (["devices"], 0), (["list", "operators", "softmax"], 0), (["list", "suites"], 0),
                 (["list", "kernels"], 0), (["check", "relu.vec4/f32", "--suite", "smoke", "--out", "o"], 0),
                 (wrong, 1),
                 (["bench", "relu.vec4/f32/n=1025", "--suite", "smoke", *effort], 0), (["bnech"], 64)]
        for columns in 80, 200:
            for words, status in calls:
                text, found = on_terminal([program, *words], columns, folder)
                assert found == status, (words, found, text)
                check_widths(text, columns, words)
        # Colours and the progress line.
        plain = {"NO_COLOR": {"NO_COLOR": "1"}, "dumb": {"TERM": "dumb"}, "never": {}}
        text, _ = on_terminal([program, *wrong], 80, folder)
        assert "\x1b[31m" in text and "\r\x1b[K" in text, text
        for name, environment in plain.items():
            text, _ = on_terminal([program, *wrong, *(["--color", "never"] if name == "never" else [])], 80, folder,
                                  **environment)
            assert "\x1b[3" not in text, (name, text)
            assert ("\x1b" in text) == (name != "dumb"), (name, text)
        done = subprocess.run([program, *wrong], cwd=folder, capture_output=True, text=True, check=False)
        assert "\x1b" not in done.stdout + done.stderr, done
        done = subprocess.run([program, *wrong, "--color", "always", "--quiet"], cwd=folder, capture_output=True,
                              text=True, check=False)
        assert "\x1b[31m" in done.stdout and "[0/" not in done.stderr, done
    print("terminals of 80 and 200 columns: as expected")


if __name__ == "__main__":
    need_terminals()
    main(*sys.argv[1:])
