#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scripts/results.py with a made-up program. Only parts of another revision are measured, each is written whole or
not at all, and the least time of several runs of a peer counts.

usage: results_check.py
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "results.py"
sys.path.append(str(SCRIPT.parent))
import packed  # noqa: E402
import results  # noqa: E402

PROGRAM = r"""#!/bin/sh
here=$(dirname "$0") all="$*"
case $1 in
--version) echo "vkassay 9 ($(cat "$here/revision"))" ;;
devices) echo '[{"kind": "cpu"}]' ;;
check)
    echo "$all" >>"$here/asked"
    while [ "$1" != --out ]; do shift; done
    mkdir -p "$2/D/R" && touch "$2/D/R/result.jsonl"
    exit "$(cat "$here/status")" ;;
export) echo "{\"tool\": {\"git\": \"$(cat "$here/revision")\"}, \"run\": {\"argv\": [\"/home/me/vkassay\"]}, \"records\": []}" ;;
esac
"""


def call(here, revision, status, *words):
    (here / "revision").write_text(revision)
    (here / "status").write_text(str(status))
    return subprocess.run([sys.executable, SCRIPT, here / "out", "--program", here / "program", *words],
                          capture_output=True, text=True, env=dict(os.environ))


def measured(here):
    return len((here / "asked").read_text().splitlines()) if (here / "asked").exists() else 0


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"results_check: {what}: expected {wanted!r}, got {got!r}")


def parts(here):
    (here / "program").write_text(PROGRAM)
    (here / "program").chmod(0o755)
    made = here / "out/results/full.json.gz"
    failed = call(here, "a1", 2)
    expect("a failed run ends the script", (failed.returncode, made.exists()), (1, False))
    expect("its command is named", "check --suite full" in failed.stderr, True)
    expect("wrong points are results", call(here, "a1", 1).returncode, 0)
    expect("paths of this machine", packed.result(made)["run"]["argv"], ["vkassay"])
    before = measured(here)
    call(here, "a1", 0)
    expect("a result of this revision is kept", measured(here), before)
    expect("time", "not begun" in call(here, "b2", 0, "--seconds", "-1").stdout, True)
    call(here, "b2", 0)
    expect("a result of another revision is made again", measured(here), before + 1)
    expect("and replaced", packed.result(made)["tool"]["git"], "b2")
    expect("nothing else is left", [p.name for p in (here / "out").rglob("*") if p.is_file()], ["full.json.gz"])
    expect("an unknown part", call(here, "b2", 0, "fulll").returncode, 1)


def least():
    def entry(peer, n, median):
        return {"peer": peer, "operator": "relu", "dtype": "f32", "dims": {"n": n}, "median_ns": median}

    runs = [{"peers": [1], "times": [entry("A", 1, 5), entry("A", 2, 7), entry("B", 1, 1)]},
            {"peers": [1], "times": [entry("A", 1, 4), entry("A", 2, 8), entry("B", 1, 2)]}]
    expect("least times", [e["median_ns"] for e in results.least(runs)["times"]], [4, 7, 1])


with tempfile.TemporaryDirectory() as folder:
    parts(pathlib.Path(folder))
least()
print("results_check: all as expected")
