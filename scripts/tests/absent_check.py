#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs test programs on a machine that seems to lack all packages used only by tests. No program may fail, and each
must name something missing.

usage: absent_check.py FOLDER      (the folder of test programs; run it from the top of the repository)
"""
import os
import pathlib
import subprocess
import sys
import tempfile

# Short programs. Each needs at least one of the hidden packages.
PROGRAMS = ("manifest-manifest_bad_test", "record-result_test", "readers-comparison_test", "readers-export_test",
            "commands-backends_test", "commands-list_test", "commands-reference_only_test",
            "commands-scale_test", "commands-shards_test", "commands-history_test", "commands-table_test",
            "commands-validation_test", "commands-wgsl_test")
HIDDEN = ("python3", "jq", "xmllint", "node", "dxc")
# Fails on commands with scripts/find.sh, so that tests find nothing through it. Runs everything else.
BASH = '#!/bin/sh\ncase "$*" in *scripts/find.sh*) exit 1 ;; esac\nexec /bin/bash "$@"\n'


def hide(folder):
    for name, text in [("bash", BASH)] + [(name, "#!/bin/sh\nexit 127\n") for name in HIDDEN]:
        path = folder / name
        path.write_text(text)
        path.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def fault(program, env):
    """Returns the fault of the program here, or an empty text."""
    done = subprocess.run([program], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    reasons = [line for line in done.stdout.splitlines() if line.startswith("NOT RUN missing: ")]
    if done.returncode != 0:
        return f"status {done.returncode}, expected 0:\n{done.stdout}"
    if not reasons:
        return f"nothing is missing:\n{done.stdout}"
    return ""


def main(folder):
    wrong = 0
    with tempfile.TemporaryDirectory() as made:
        env = hide(pathlib.Path(made))
        for name in PROGRAMS:
            why = fault(pathlib.Path(folder).resolve() / name, env)
            wrong += bool(why)
            print(f"{name}: {why or 'held'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
