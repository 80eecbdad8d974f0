#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests kernel_tuner_compare.py with a made-up Kernel Tuner: its arguments, the scores, failures, and the message if
there is no Kernel Tuner.

usage: kernel_tuner_check.py PROGRAM
"""
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = HERE / "scripts/kernel_tuner_compare.py"
SPACES = HERE / "reports/examples/nvidia-h200/spaces.json.gz"

# mls returns the best shape, and pso the first. The other strategies fail, because they lack a module.
TUNER = """
import json
__version__ = "9.9"
def tune_kernel(name, source, size, arguments, params, restrictions=None, strategy=None, strategy_options=None,
                simulation_mode=False, cache=None, lang=None, quiet=False):
    lines = json.load(open(cache))["cache"]
    assert simulation_mode and strategy_options["max_fevals"] in range(1, len(lines) + 1)
    lines = [line for line in lines.values() if isinstance(line["time"], float)]
    for line in lines:  # the mean of 7 of those that were recorded
        assert min(line["times"]) <= line["time"] <= max(line["times"])
    print("noise")
    if strategy == "mls":
        best = min(lines, key=lambda line: sorted(line["times"])[len(line["times"]) // 2])
        return [dict(best, time=0.0)], {}
    if strategy == "pso":
        return [lines[0]], {}
    raise ModuleNotFoundError(f"no module for {strategy}")
"""


def run(program, folder, *words):
    return subprocess.run([sys.executable, SCRIPT, "--program", program, *words], cwd=folder, check=False,
                          capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})


def main(program):
    program = os.path.abspath(program)
    spaces = json.loads(gzip.decompress(SPACES.read_bytes()))
    spaces["spaces"] = spaces["spaces"][:3]
    with tempfile.TemporaryDirectory(prefix="vkassay-tuner-") as name:
        folder = pathlib.Path(name)
        (folder / "spaces.json").write_text(json.dumps(spaces))
        (folder / "made").mkdir()
        (folder / "made/numpy.py").write_text("class random:\n    seed = staticmethod(lambda value: None)\n")
        (folder / "made/kernel_tuner.py").write_text(TUNER)
        done = run(program, folder, "--spaces", folder / "spaces.json", "--repeats", "2", "--checkout", folder / "made")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["kernel_tuner"] == "9.9" and found["cases"] == 3 and found["device"] == spaces["device"]
        assert found["strategies"]["mls"] == {"near": 100, "worst": 100, "loss": 0}, found["strategies"]
        first = []  # the loss of the first shape in each space
        for space in spaces["spaces"]:
            times = [sorted(shape["samples_ns"]) for shape in space["shapes"] if "samples_ns" in shape]
            medians = [(line[(len(line) - 1) // 2] + line[len(line) // 2]) / 2 for line in times]
            first.append(medians[0] / min(medians) - 1)
        assert abs(found["strategies"]["pso"]["loss"] - 100 * sum(first) / len(first)) < 1e-6, (found, first)
        assert found["strategies"]["pso"]["near"] == 100 * sum(loss <= 0.02 for loss in first) / len(first)
        assert set(found["strategies"]) == {"mls", "pso"}
        assert found["failed"]["diff_evo"].endswith("no module for diff_evo")
        assert 0 < found["vkassay"]["race"]["samples"] < 100 and found["vkassay"]["race"]["near"] > 0
        # A module that fails to import counts as missing, even if Kernel Tuner is installed here.
        (folder / "none").mkdir()
        (folder / "none/kernel_tuner.py").write_text("raise ModuleNotFoundError('it needs more')\n")
        done = run(program, folder, "--checkout", folder / "none")
        assert done.returncode == 3 and "Kernel Tuner is not here (it needs more)" in done.stderr, done
    print("kernel_tuner_compare.py: as expected")


if __name__ == "__main__":
    main(*sys.argv[1:])
