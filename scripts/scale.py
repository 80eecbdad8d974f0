#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the costs of a fleet: merge, table, report and compare on made-up results of a million records, and the
history of ten thousand runs.

usage: scale.py [--program build/vkassay] [--out reports/examples/scale.json] [--work DIR] [STEP...]

The file has each step's wall time, CPU time, peak memory and inputs. Named steps are measured again; the others keep
their figures. `make figures` makes reports/SCALE.md from it. It needs some 8 GB under --work.
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
QUICK = os.path.join(ROOT, "reports/examples/nvidia-h200/quick.json")
SHAPES = os.path.join(ROOT, "reports/examples/fleet/lavapipe-26.2.6.json.gz")


class Scale:
    def __init__(self, options):
        self.options = options
        self.steps = {}
        # Draws no charts: gnuplot's time is not the program's, and the number of charts bounds it.
        os.makedirs(os.path.join(options.work, "bin"), exist_ok=True)
        stand_in = os.path.join(options.work, "bin/gnuplot")
        if not os.path.exists(stand_in):
            os.symlink("/bin/true", stand_in)

    def made(self, name, *words):
        folder = os.path.join(self.options.work, name)
        if not os.path.exists(folder):
            subprocess.run([os.path.join(ROOT, "scripts/made_up.py"), *words, "--out", folder + ".part"], check=True)
            os.rename(folder + ".part", folder)
        return sorted(glob.glob(folder + "/*.json"))

    def measure(self, name, over, words, charts=False):
        path = os.environ["PATH"] if charts else f"{self.options.work}/bin:{os.environ['PATH']}"
        started = time.monotonic()
        process = subprocess.Popen([self.options.program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, env={**os.environ, "PATH": path, "VKASSAY_HOME": ROOT})
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 4):
            sys.exit(f"{name}: exit status {os.waitstatus_to_exitcode(status)}\n{said[-2000:]}")
        last = (said.strip().splitlines() or [""])[-1].replace(self.options.work, "WORK")[:200]
        # Real-time scheduling (chrt -f) lets the step run before all other work, as on an idle machine.
        first = os.sched_getscheduler(0) in (os.SCHED_FIFO, os.SCHED_RR)
        self.steps[name] = {"over": over, "first": first, "wall_s": round(time.monotonic() - started, 2),
                            "cpu_s": round(usage.ru_utime + usage.ru_stime, 2), "most_mib": usage.ru_maxrss // 1024,
                            "last_line": last}
        print(name, self.steps[name], flush=True)

    def merge(self):
        shards = self.made("shards", "shards", QUICK, "--records", "1000000", "--shards", "8")
        size = sum(os.path.getsize(s) for s in shards)
        whole = os.path.join(self.options.work, "whole.json")
        self.measure("merge", f"1,000,000 records in 8 shards, {size / 1e9:.1f} GB", ["merge", *shards, "--out", whole])

    def report(self):
        whole = os.path.join(self.options.work, "whole.json")
        self.measure("report", "the page of those 1,000,000 records", ["report", whole, "--quiet", "--out",
                                                                      os.path.join(self.options.work, "page")])

    def compare(self):
        half = self.made("half", "shards", QUICK, "--records", "100000", "--shards", "1")
        self.measure("compare", "two results of 100,000 records", ["compare", half[0], half[0]])

    def table(self):
        count = 1271  # a million records
        devices = self.made("devices", "devices", SHAPES, "--count", str(count))
        size = sum(os.path.getsize(d) for d in devices)
        records = count * sum('"name":' in line for line in open(devices[0]))
        out = os.path.join(self.options.work, "table/tuned.json")
        self.measure("table", f"{count:,} devices, {records:,} records, {size / 1e9:.1f} GB",
                     ["table", os.path.dirname(devices[0]), "--out", out])
        self.steps["table"]["file_mib"] = os.path.getsize(out) >> 20

    def table_one(self):
        shapes = self.made("shapes", "shards", SHAPES, "--records", "1000000", "--shards", "1")
        out = os.path.join(self.options.work, "table-one/tuned.json")
        self.measure("table of one", f"a device, 1,000,000 records, {os.path.getsize(shapes[0]) / 1e9:.1f} GB",
                     ["table", *shapes, "--out", out])
        self.steps["table of one"]["file_mib"] = os.path.getsize(out) >> 20

    def history(self):
        runs = self.made("runs", "runs", QUICK, "--count", "10000")
        size = sum(os.path.getsize(run) for run in runs)
        pages = os.path.join(self.options.work, "history")
        self.measure("report --history", f"10,000 runs of 96 points, {size / 1e9:.1f} GB, with charts",
                     ["report", "--history", os.path.dirname(runs[0]), "--quiet", "--out", pages], charts=True)


def main():
    steps = ("merge", "report", "compare", "table", "table_one", "history")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build/vkassay"))
    parser.add_argument("--out", default=os.path.join(ROOT, "reports/examples/scale.json"))
    parser.add_argument("--work", help="kept, and used again; default: a folder that goes")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(steps))
    options = parser.parse_args()
    own = not options.work
    options.work = os.path.abspath(options.work or tempfile.mkdtemp(prefix="vkassay-scale-"))
    scale = Scale(options)
    for step in options.steps or steps:
        getattr(scale, step)()
    kept = {}
    if os.path.exists(options.out):
        with open(options.out) as file:
            earlier = json.load(file)
        kept = {name: {"git": earlier["tool"]["git"], **step} for name, step in earlier["steps"].items()}
    version = subprocess.run([options.program, "--version"], capture_output=True, text=True).stdout
    revision = version.partition("(")[2].rstrip(")\n")
    for step in scale.steps.values():
        step["git"] = revision
    with open("/proc/cpuinfo") as file:
        cpu = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    with open(options.out, "w") as file:
        json.dump({"scale": "made-up results",
                   "tool": {"name": "vkassay", "git": revision},
                   "host": {"cpu": cpu, "cores": os.cpu_count()}, "load": round(os.getloadavg()[0], 1),
                   "steps": {**kept, **scale.steps}}, file, indent=1)
        file.write("\n")
    if own:
        shutil.rmtree(options.work)


if __name__ == "__main__":
    main()
