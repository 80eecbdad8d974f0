#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs random work with random faults for a time, and holds what must stay: scripts/soak.py BUILD SECONDS [--seed N].

A round checks or times points drawn from suites, with options and a fault of the driver drawn too (scripts/faults.py).
Every third round is long and has no fault. Promised for each round: a documented status, in time; a valid result with
every point, or one that says it is partial and can be resumed; no process, file or folder left. Memory and descriptors
of the supervisor stay flat: within a long round, from its second quarter to its last one, and from the first long
round to the last.

Prints a line for each broken promise and a summary. The exit status is 1 if a promise was broken, or nothing was run.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import faults

SUITES = ["smoke", "quick"]
LARGEST = 1 << 14  # product of a point's sizes
OPTIONS = [[], [], ["--jobs", "2"], ["--sanitize"], ["--validate"], ["--repeat", "3"], ["--limits", "webgpu"]]
GROWTH, SLACK_KIB = 1.1, 4096  # more memory than this is a leak
SAMPLES = 12  # fewer of a long round tell nothing


class Watch(threading.Thread):
    """Samples memory (KiB) and descriptors of the direct children of this process, the supervisors."""

    def __init__(self):
        super().__init__(daemon=True)
        self.samples, self.ended = [], threading.Event()

    def run(self):
        while not self.ended.wait(0.25):
            for pid in pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
                try:
                    proc = pathlib.Path("/proc") / pid
                    memory = [line.split()[1] for line in (proc / "status").read_text().splitlines() if line[:6] == "VmRSS:"]
                    if memory and b"FAULT_SWEEP=" in (proc / "environ").read_bytes():
                        self.samples.append((int(memory[0]), len(os.listdir(proc / "fd"))))
                except OSError:
                    pass

    def stop(self):
        self.ended.set()
        self.join()
        return self.samples


def grown(samples):
    """Returns the medians of memory and descriptors in the second and in the last quarter."""
    quarter = len(samples) // 4
    parts = samples[quarter:2 * quarter], samples[-quarter:]
    return [[statistics.median(sample[i] for sample in part) for part in parts] for i in (0, 1)]


class Soak(faults.Sweep):
    def points(self):
        """Returns the names of small points of the suites."""
        names = set()
        for suite in SUITES:
            said = subprocess.run([self.program, "list", "points", "--suite", suite], capture_output=True, text=True, check=True)
            for name in said.stdout.split():
                sizes = name.split("/")[2].split(",") if name.count("/") == 3 else []
                product = 1
                for size in sizes:
                    product *= max(int(size.split("=")[1]), 1) if size.split("=")[-1].isdigit() else 1
                if sizes and product <= LARGEST:
                    names.add(name)
        return sorted(names)

    def round(self, number, points, draw):
        """Runs a round. Returns what it was, its status, the promises it broke and, if long, the samples."""
        is_long = number % 3 == 0
        verb = "check" if is_long else draw.choice(["check", "check", "bench"])
        chosen = draw.sample(points, min(len(points), 60 if is_long else draw.randint(1, 12)))
        options = draw.choice(OPTIONS) if verb == "check" and not is_long else []
        if verb == "bench":
            options = ["--timing", "samples=4"]
        own = self.folder / str(number)
        own.mkdir()
        fault = {}
        if not is_long:
            code = draw.choice(faults.CODES + faults.ENDS + ["child", "hang"])
            fault = dict(FAULT_CALL="vk" + draw.choice(faults.OBJECTS + faults.CALLS + ["CreateDevice"]), FAULT_CODE=code,
                         FAULT_FROM=str(draw.choice([1, 1, 2, 5, 20, 100])), FAULT_ONCE=str(own / "once"), FAULT_TIMES="1")
        faults.VERBS[verb] = chosen, [verb, *chosen, *options]
        watch = Watch()
        watch.start()
        status, said, seconds = self.run(own, [*self.words(verb), *self.place(verb, own)], **fault)
        samples = watch.stop()
        broken = [] if status in faults.STATUSES else ["it did not end" if status is None else f"status {status}"]
        broken += self.left_over(own)
        results = list(own.glob("out/*/*/result.jsonl"))
        for path in results:
            why, _ = self.judge_result(own, verb, path, status)
            broken += [what for what in why if "--limits" not in options or "missing" not in what]
        if status in (0, 1, 4) and not results:
            broken.append("no result")
        if "Sanitizer" in said or "runtime error" in said:
            broken.append("a sanitizer")
        row = dict(round=number, verb=verb, points=len(chosen), options=options, fault=fault.get("FAULT_CALL"),
                   code=fault.get("FAULT_CODE"), status=status, seconds=round(seconds, 1), broken=broken)
        if is_long and len(samples) >= SAMPLES:
            row["memory"], row["descriptors"] = grown(samples)
            for what, slack in (("memory", SLACK_KIB), ("descriptors", 0)):
                if row[what][1] > GROWTH * row[what][0] + slack:
                    broken.append(f"{what} grew from {row[what][0]} to {row[what][1]}")
        if broken:
            row["said"] = said[-800:]
        shutil.rmtree(own, ignore_errors=True)
        return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    end, rows = time.time() + given.seconds, []
    with tempfile.TemporaryDirectory(prefix="vkassay-soak-") as folder:
        soak = Soak(given.build, folder, given.seed)
        points, draw = soak.points(), random.Random(given.seed)
        while time.time() < end:
            rows.append(soak.round(len(rows), points, draw))
            if rows[-1]["broken"]:
                print(json.dumps(rows[-1]), flush=True)
    broken, long = [row for row in rows if row["broken"]], [row for row in rows if "memory" in row]
    print(f"{len(rows)} rounds, {sum(row['points'] for row in rows)} points drawn from {len(points)}, "
          f"{sum(bool(row['fault']) for row in rows)} with a fault, seed {given.seed}: {len(broken)} broke a promise")
    for what, unit in (("memory", " KiB"), ("descriptors", "")):
        if long:
            first, last = long[0][what], long[-1][what]
            print(f"{what} of the supervisor in {len(long)} long rounds: {first[0]:.0f} to {first[1]:.0f}{unit} in the first, "
                  f"{last[0]:.0f} to {last[1]:.0f}{unit} in the last")
    if not long:
        print("no long round had samples enough: memory and descriptors are not judged")
    return 1 if broken or not long else 0


if __name__ == "__main__":
    sys.exit(main())
