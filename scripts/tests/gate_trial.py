#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries the gate: ten kernels become 1.1x to 50x slower, and ten do not, on a quiet and on a disturbed device.

    gate_trial.py [--n N] [--disturb busy|hot|cold]... [--rounds N] VKASSAY

The factors are measured first, in separate runs. The gate states a threshold for each kernel ("detects"). It misses a
kernel if the factor is above this threshold, but the verdict is not slower. Ends with 1 if the gate misses a kernel, or
calls an unchanged one slower."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import packed  # noqa: E402

MARGIN = 1.03  # tolerance, because the factors are measured, too
FACTORS = [1.1, 1.15, 1.25, 1.4, 1.7, 2, 3, 7, 20, 50]
SHADER = """#version 450
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint n; };
void main() {
    uint i = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * gl_NumWorkGroups.x * 256;
    if (i >= n) return;
    float w = x[i];
    for (uint k = 0; k < WORK; k++) w = fma(w, 0.999, 0.1);
    y[i] = w == 1234.5 ? w : max(x[i], 0.0);
}
"""


class Trial:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        (folder / "k").mkdir()
        (folder / "k" / "own.comp").write_text(SHADER)
        self.suite = folder / "trial.json"
        self.names = [f"relu.own{i:02}" for i in range(2 * len(FACTORS))]

    def write(self, work):
        """Writes kernels with these numbers of loop turns, and a suite of their names."""
        kernels = [{"name": name, "defines": {"WORK": str(turns)}} for name, turns in work.items()]
        common = {"operator": "relu", "summary": "one of the trial", "dtypes": ["f32"], "shader": "own.comp",
                  "local_size": [256], "bindings": ["x", "y"], "push": ["n"],
                  "grid": [{"over": ["n"], "by": ["WG_X"]}], "fold": True}
        (self.folder / "k" / "own.json").write_text(json.dumps({"common": common, "kernels": kernels}))
        suite = {"schema_version": 1, "name": "trial", "summary": "the trial of the gate",
                 "settings": {"point_seconds": 0.25, "precision": 0.005, "least_samples": 12, "most_samples": 200,
                              "check_operations": 2e6, "reference_seconds": 0.001},
                 "entries": [{"kernels": list(work), "dtypes": ["f32"], "dims": {"n": self.options.n},
                              "shapes": "default"}]}
        self.suite.write_text(json.dumps(suite))

    def run(self, command, *more):
        return subprocess.run([self.options.vkassay, command, "--only", self.folder / "k", "--suite", self.suite,
                               "--out", self.folder / "out", "--baselines" if command != "bench" else "--quiet",
                               *([self.folder / "baselines"] if command != "bench" else []), *more],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

    def times(self):
        done = self.run("bench")
        if done.returncode:
            sys.exit(f"gate_trial.py: bench ended with {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")
        newest = max((self.folder / "out").glob("*/*/result.jsonl"), key=os.path.getmtime)
        points = packed.result(newest)["records"]
        return {p["name"].split("/")[0]: p["time"]["compute"]["median_ns"] for p in points if p.get("time")}

    def find_work(self):
        """Returns the turns for each factor, to slow the kernel by about as much."""
        turns, ratio = [0], [1.0]
        while ratio[-1] < FACTORS[-1]:
            more = [max(turns[-1], 1) * 2 ** i for i in range(1 if turns[-1] else 0, 5)]
            self.write({"relu.try": 0, **{f"relu.try{t}": t for t in more}})
            times = self.times()
            turns += more
            ratio += [times[f"relu.try{t}"] / times["relu.try"] for t in more]
        found = []
        for factor in FACTORS:
            at = next(i for i, r in enumerate(ratio) if r >= factor)
            share = (factor - ratio[at - 1]) / (ratio[at] - ratio[at - 1])
            found.append(round(turns[at - 1] + share * (turns[at] - turns[at - 1])))
        return found

    def disturbed(self, how):
        """Disturbs the device, and returns a function to end this."""
        if how == "busy":
            busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
            return lambda: [(b.kill(), b.wait()) for b in busy]
        if how == "hot":
            heat = subprocess.run([self.options.vkassay, "bench", "--quiet", "--suite", "quick", "--out",
                                   self.folder / "heat", "matmul"], stdout=subprocess.DEVNULL, check=False)
            assert heat.returncode in (0, 4), heat.returncode
        if how == "cold":
            time.sleep(20)
        return lambda: None

    def gate(self, how):
        end = self.disturbed(how)
        done = self.run("gate", "--format", "json")
        end()
        if done.returncode not in (0, 2):
            sys.exit(f"gate_trial.py: gate ended with {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")
        return json.loads(done.stdout), done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=1 << 20)
    parser.add_argument("--disturb", action="append", choices=["none", "busy", "hot", "cold"])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("vkassay")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(options, pathlib.Path(folder))
        turns = trial.find_work()
        before = {name: 0 for name in trial.names}
        after = {name: turns[i // 2] if i % 2 else 0 for i, name in enumerate(trial.names)}
        trial.write(after)
        calm = trial.times()
        trial.write(before)
        base = trial.times()
        true = {name: calm[name] / base[name] for name in trial.names}
        if trial.run("gate", "--save-baseline").returncode:
            sys.exit("gate_trial.py: no baseline")
        trial.write(after)
        for how in (options.disturb or ["none"]) * options.rounds:
            result, status = trial.gate(how)
            missed, flagged, below = [], [], []
            assert len(result["compared"]) == len(trial.names), result["compared"]
            for p in result["compared"]:
                name = p["name"].split("/")[0]
                text = f"{true[name]:.2f}x {p['verdict']} (threshold {p['detects']:.2f}x, {p['note']})"
                if not after[name]:
                    flagged += [text] if p["verdict"] == "slower" else []
                elif p["verdict"] != "slower":
                    (missed if true[name] > MARGIN * p["detects"] else below).append(text)
            wrong += len(missed) + len(flagged)
            median = statistics.median(p["detects"] for p in result["compared"])
            print(f"{how}: status {status}, threshold {median:.2f}x (median)\n  missed {len(missed)} {missed}\n  unchanged "
                  f"called slower {len(flagged)} {flagged}\n  below their threshold {len(below)} {below}", flush=True)
        print("factors: " + " ".join(f"{true[n]:.2f}" for n in trial.names if after[n]))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
