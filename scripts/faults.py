#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a driver fail in many ways, and holds what a run promises under faults: scripts/faults.py BUILD [--out FILE].

Each fault is a function of Vulkan, a way to fail, a call early or late, and a verb. The layer of
harness/commands/tests/faults makes it; a run without faults counts the calls. Promised for each:

- The run ends in time, with a documented status.
- It is green only if nothing is lost: each record has all that it has without the fault, or the result says what is
  missing, or the fault takes nothing from a verdict (HARMLESS). Wrong bits and wrong times are never green.
- The result is valid and has a record of every point, or says that it is partial.
- `--resume` without the fault completes a partial run.
- No process, temporary file or folder is left.

--short SEED draws a few faults, one of each kind.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

POINTS = ["relu.scalar/f32/n=1025/wg=64x1x1,ITEMS=1", "add.vec4/f32/n=1025/wg=64x1x1,ITEMS=1",
          "softmax.online/f32/rows=7,cols=33/wg=64x1x1"]
VERBS = {  # points planned, and words of the command line
    "check": (POINTS, ["check", *POINTS]),
    "bench": (POINTS, ["bench", *POINTS, "--timing", "samples=5"]),
    "tune": ([], ["tune", "relu.mine", "--only", "KERNELS", "--dims", "n=1025", "--timing", "samples=6"]),
    "ab": ([], ["ab", "--suite", "SUITE", "--base", "KERNELS", "--head", "KERNELS", "--timing", "samples=8"]),
}
RESUMED = {"check", "bench", "tune"}
STATUSES = {0, 1, 3, 4, 69, 70}
LIMIT_S = 240  # three workers may need 30 s each to be given up while they start
TIMEOUT_S = 3

CODES = ["-1", "-2", "-3", "-4", "-13", "-77", "2", "lose"]
ENDS = ["signal 6", "signal 11", "signal 9", "exit 0", "exit 3"]
OBJECTS = ["CreateBuffer", "CreateCommandPool", "CreateComputePipelines", "CreateDescriptorPool",
           "CreateDescriptorSetLayout", "CreateFence", "CreatePipelineCache", "CreatePipelineLayout", "CreateQueryPool",
           "CreateShaderModule", "AllocateMemory", "AllocateCommandBuffers", "AllocateDescriptorSets", "BindBufferMemory",
           "MapMemory"]
CALLS = ["BeginCommandBuffer", "EndCommandBuffer", "ResetFences", "ResetCommandPool", "ResetDescriptorPool", "QueueSubmit",
         "WaitForFences", "GetQueryPoolResults", "GetPipelineCacheData"]
FIRST = ["CreateInstance", "EnumeratePhysicalDevices", "EnumerateDeviceExtensionProperties", "CreateDevice"]
TIMES = ["times " + how for how in ("halved", "thousandth", "stuck", "backward", "wrapped")]
BOTH = ("early", "late")
# Functions, faults, whether one process has the fault or all of them, verbs, and calls.
ROWS = [
    (OBJECTS + CALLS, CODES, ["one"], ["check"], BOTH),
    (OBJECTS + CALLS, ["-2", "-13", "lose"], ["all"], ["check"], BOTH),
    (OBJECTS + CALLS, ["-1", "-4", "2", "lose"], ["one"], ["bench"], BOTH),
    (OBJECTS + CALLS, ENDS, ["one"], ["check"], BOTH),
    (OBJECTS + CALLS, ["-4", "signal 11"], ["one"], ["tune", "ab"], ["late"]),
    (FIRST, CODES + ENDS, ["one", "all"], ["check"], ["early"]),
    (OBJECTS + CALLS + ["CreateDevice"], ["child"], ["one"], ["check"], BOTH),
    (OBJECTS + CALLS + ["CreateDevice"], ["hang"], ["one"], ["check"], ["late"]),
    (["QueueSubmit", "WaitForFences", "CreateComputePipelines"], ["hang", "child"], ["one"], ["bench", "tune", "ab"],
     ["late"]),
    (["WaitForFences"], ["flip"], ["all"], ["check"], BOTH),
    (["WaitForFences"], ["flip"], ["all"], ["bench"], ["early"]),  # later ones are after the last judged run
    (["GetQueryPoolResults"], TIMES, ["all"], ["bench", "tune"], ["early"]),  # clocks are compared as a worker starts
]
# Green without a word in the result, because nothing of a verdict is lost: functions, and their faults (None: all).
HARMLESS = {
    ("CreatePipelineCache", None): "pipelines are built without the driver's cache",
    ("GetPipelineCacheData", None): "the driver's cache is not kept",
    (None, "child"): "the child is ended",
}
# Members that follow the load of the host.
OF_LOAD = {"host_load", "host_steal", "crc32", "throttled", "drift", "clock_probes", "remeasured", "looks", "stop"}


def members(record):
    """Returns the members of a record and of its parts that have a value."""
    if not isinstance(record, dict):
        return set()
    return {(name, *rest) for name, value in record.items() if value is not None and name not in OF_LOAD
            for rest in [(), *(members(value) if name in ("check", "time", "sanitized") else ())]}


def rows():
    """Yields verb, function, fault, part of the processes, and early or late."""
    for functions, faults, parts, verbs, calls in ROWS:
        yield from itertools.product(verbs, functions, faults, parts, calls)


def key(row):
    return row["function"], row["verb"], row["fault"], row["part"]


class Sweep:
    def __init__(self, build, folder, seed):
        self.program = str((build / "vkassay").resolve())
        self.folder, self.seed = pathlib.Path(folder), seed
        self.layer = str((build / "faults").resolve())
        self.whole = {}  # what the records of a verb have
        self.most = {}  # most calls of a function in one process of a verb
        (self.folder / "bin").mkdir()
        (self.folder / "bin/gnuplot").symlink_to("/bin/true")
        kernels = self.folder / "kernels"
        kernels.mkdir()
        (kernels / "relu.comp").write_text(
            "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"grid.glsl\"\n"
            "layout(binding = 0) readonly buffer X { float x[]; };\nlayout(binding = 1) writeonly buffer Y { float y[]; };\n"
            "layout(push_constant) uniform Push { uint n; };\n"
            "void main() {\n    uint i = linear_invocation();\n    if (i < n) y[i] = max(x[i], 0.0);\n}\n")
        (kernels / "relu.json").write_text(json.dumps({"kernels": [
            {"name": "relu.mine", "operator": "relu", "summary": "for faults", "shader": "relu.comp", "dtypes": ["f32"],
             "bindings": ["x", "y"], "push": ["n"], "tunables": {"WG_X": {"values": [64, 128], "default": 64}},
             "grid": [{"over": ["n"], "by": ["WG_X"]}]}]}))
        (self.folder / "suite.json").write_text(json.dumps(
            {"schema_version": 1, "name": "faults", "summary": "two points", "entries": [
                {"kernel": "relu.mine", "dims": {"n": [1025, 1026]}, "shapes": "default"}]}))

    def words(self, verb):
        """Returns a verb's command line."""
        kept = {"SUITE": self.folder / "suite.json", "KERNELS": self.folder / "kernels"}
        return [self.program, *(str(kept.get(word, word)) for word in VERBS[verb][1]), "--quiet", "--seed", "1"]

    def run(self, own, words, **faults):
        """Runs the program in a folder of its own. Returns status (None: too late), output and seconds."""
        for name in ("tmp", "cache"):
            (own / name).mkdir(parents=True, exist_ok=True)
        shaders = own / "cache/spirv"
        if not shaders.exists():
            (self.folder / "spirv").mkdir(exist_ok=True)
            shaders.symlink_to(self.folder / "spirv")
        env = dict(os.environ, TMPDIR=str(own / "tmp"), VKASSAY_CACHE=str(own / "cache"), FAULT_SWEEP=str(own),
                   PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}", VK_ADD_LAYER_PATH=self.layer,
                   VK_INSTANCE_LAYERS="VK_LAYER_VKASSAY_faults", **faults)
        began = time.time()
        with open(own / "output", "wb") as output:
            process = subprocess.Popen(words, stdout=output, stderr=output, stdin=subprocess.DEVNULL, env=env,
                                       start_new_session=True, cwd=os.getcwd())
            try:
                status = process.wait(LIMIT_S)
            except subprocess.TimeoutExpired:
                status = None
                process.kill()
                process.wait()
        return status, (own / "output").read_text(errors="replace"), time.time() - began

    def count(self, verb):
        """Counts a verb's calls without a fault."""
        own = self.folder / f"count-{verb}"
        own.mkdir()
        status, said, _ = self.run(own, [*self.words(verb), *self.place(verb, own)], FAULT_COUNT=str(own / "calls"))
        if status and (verb, status) not in {("ab", 2), ("ab", 4)}:  # times of a busy host
            raise SystemExit(f"{verb} without a fault: status {status}\n{said}")
        self.whole[verb] = self.found(own)
        calls = collections.Counter()
        for line in (own / "calls").read_text().splitlines():
            pid, call, _ = line.split()
            calls[pid, call] += 1
        for (pid, call), number in calls.items():
            self.most[verb, call] = max(self.most.get((verb, call), 0), number)

    @staticmethod
    def found(own):
        """Returns what the records of a run have, by their names."""
        return {record["name"]: members(record) for path in own.glob("out/*/*/result.jsonl")
                for record in map(json.loads, path.read_text().splitlines()) if "name" in record}

    @staticmethod
    def place(verb, own):
        return ["--timeout", str(TIMEOUT_S), *([] if verb == "ab" else ["--out", str(own / "out")])]

    def one(self, index, case):
        """Makes one fault. Returns its row for the table: what happened, and the promises it broke."""
        verb, function, fault, part, when = case
        most = self.most.get((verb, "vk" + function), 0)
        if not most:
            return None
        draw = random.Random(f"{self.seed} {case}")
        first = 1 if when == "early" else draw.randint((most + 2) // 2, most)
        own = self.folder / str(index)
        own.mkdir()
        faults = dict(FAULT_CALL="vk" + function, FAULT_CODE=fault, FAULT_FROM=str(first), FAULT_HIT=str(own / "hit"))
        if part == "one":
            faults.update(FAULT_ONCE=str(own / "once"), FAULT_TIMES="1")
        status, said, seconds = self.run(own, [*self.words(verb), *self.place(verb, own)], **faults)
        hit = (own / "hit").exists()
        broken, told = self.judge(own, verb, function, fault, status, said, hit)
        row = dict(verb=verb, function="vk" + function, fault=fault, part=part, call=first, hit=hit, status=status,
                   told=told, seconds=round(seconds, 1), broken=broken)
        if broken:
            row["said"] = said[-1500:]
        shutil.rmtree(own, ignore_errors=True)
        return row

    def judge(self, own, verb, function, fault, status, said, hit):
        broken, told = [], None
        if status is None:
            broken.append("it did not end")
        elif status not in STATUSES | ({2} if verb == "ab" else set()):
            broken.append(f"status {status}")
        broken += self.left_over(own)
        results = list(own.glob("out/*/*/result.jsonl"))
        for path in results:
            why, told = self.judge_result(own, verb, path, status)
            broken += why
        if verb in RESUMED and status in (0, 1, 4) and not results:
            broken.append("no result")
        harmless = {(function, None), (function, fault), (None, fault)} & HARMLESS.keys()
        made_up = not fault.startswith(("flip", "times")) and self.whole.get(verb) == self.found(own)
        if status == 0 and hit and not told and not harmless and not made_up and not (verb == "ab" and "lost" in said):
            broken.append("green without a word")
        if "Sanitizer" in said or "runtime error" in said:
            broken.append("a sanitizer")
        return broken, told

    def judge_result(self, own, verb, path, status):
        broken, told = [], []
        read = subprocess.run([self.program, "export", "--format", "json", str(path)], capture_output=True, text=True)
        if read.returncode not in (0, 1, 3, 4):
            return [f"its result cannot be read: {read.stderr[-300:]}"], None
        head, *lines = path.read_text().splitlines()
        run, records = json.loads(head)["run"], [json.loads(line) for line in lines]
        records = [record for record in records if "name" in record]
        if run.get("lost_workers"):
            told.append("lost worker")
        for record in records:
            for member in ("unsanitized", "bounds_unchecked", "attempts"):
                if record.get(member):
                    told.append(member)
            if record["status"] not in ("pass", "compiled"):
                told.append(record["status"])
            if record.get("clock") == "host":
                told.append("host clock")
        names = [record["name"] for record in records]
        if len(names) != len(set(names)):
            broken.append("a point twice")
        missing = [name for name in VERBS[verb][0] if name not in names]
        if missing and run.get("complete", True):
            broken.append(f"{len(missing)} records are missing, and the run claims to be complete")
        if not run.get("complete", True):
            told.append("partial")
            if status == 0:
                broken.append("green and partial")
            if verb in RESUMED:
                broken += self.resume(own, verb, path)
        return broken, "; ".join(sorted(set(told))) or None

    def resume(self, own, verb, path):
        status, said, _ = self.run(own, [self.program, verb, "--resume", str(path.parent), "--quiet"])
        if status not in (0, 1, 3):
            return [f"--resume ended with {status}: {said[-300:]}"]
        head, *lines = path.read_text().splitlines()
        names = {json.loads(line).get("name") for line in lines}
        if not json.loads(head)["run"]["complete"] or not set(VERBS[verb][0]) <= names:
            return ["--resume did not complete it"]
        return []

    @staticmethod
    def left_over(own):
        broken = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and f"FAULT_SWEEP={own}\0".encode() in (entry / "environ").read_bytes() + b"\0":
                    state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                    if state != "Z":
                        broken.append("a process is left")
                        os.kill(int(entry.name), 9)
            except OSError:
                pass
        if list((own / "tmp").iterdir()):
            broken.append(f"left in TMPDIR: {[path.name for path in (own / 'tmp').iterdir()][:3]}")
        if list(own.rglob("*.part-*")):
            broken.append("a partial file is left")
        return broken


def table(found, sweep, device):
    """Returns the page of all faults."""
    by = collections.OrderedDict()
    for row in found:
        key = row["function"], row["fault"].split()[0]
        by.setdefault(key, []).append(row)
    hit = [row for row in found if row["hit"]]
    broken = [row for row in found if row["broken"]]
    lines = [
        "# Faults of a driver", "",
        f"{len(found)} faults on {device}, {len(hit)} of them met by a call, seed {sweep.seed}; {len(broken)} broke a",
        "promise. `make faults` measures this (scripts/faults.py). Statuses are those of the",
        "[command line](../../harness/commands/README.md#exit-status). A green run (0) lost nothing, or its result says what.",
        "", "Not promised: timestamps that become wrong after a worker has started, if they still look possible. Bits that flip",
        "after the last judged run of a point change no verdict.", "", "| function | fault | runs | met | statuses | told by | broken |", "|---|---|---|---|---|---|---|"]
    for (function, fault), group in by.items():
        statuses = collections.Counter(str(row["status"]) for row in group)
        told = sorted({part for row in group if row["told"] for part in row["told"].split("; ")})
        lines.append(f"| `{function}` | {fault} | {len(group)} | {sum(row['hit'] for row in group)} | "
                     + ", ".join(f"{status}: {number}" for status, number in sorted(statuses.items()))
                     + f" | {', '.join(told) or '-'} | {sum(bool(row['broken']) for row in group)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--short", type=int, metavar="SEED", help="a few faults, drawn by this seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="faults with this text in verb, function, fault")
    parser.add_argument("--out", type=pathlib.Path, help="writes the table here")
    parser.add_argument("--rows", type=pathlib.Path, help="adds a line of JSON for each fault to this file")
    parser.add_argument("--again", type=pathlib.Path, metavar="ROWS",
                        help="only the faults that broke a promise in these rows; the table is of all rows")
    parser.add_argument("--part", default="1/1", help="the K-th of N parts of the faults")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    cases = [case for case in rows() if not given.only or given.only in " ".join(case)]
    if given.short is not None:
        draw = random.Random(given.short)
        chosen = {}
        for case in draw.sample(cases, len(cases)):
            kind = case[2].split()[0] if case[0] == "check" and case[2] != "hang" else None
            if kind:
                chosen.setdefault(kind, case)
        cases = list(chosen.values())
    before = [json.loads(line) for line in given.again.read_text().splitlines()] if given.again else []
    failed = {key(row) for row in before if row["broken"]}
    cases = [case for case in cases if not before or ("vk" + case[1], case[0], *case[2:4]) in failed]
    index, parts = map(int, given.part.split("/"))
    cases = cases[index - 1::parts]
    with tempfile.TemporaryDirectory(prefix="vkassay-faults-") as folder, \
            concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        sweep = Sweep(given.build, folder, given.seed if given.short is None else given.short)
        for verb in dict.fromkeys(case[0] for case in cases):
            sweep.count(verb)
        found = [row for row in before if key(row) not in failed]
        output = open(given.rows, "a") if given.rows else None
        for row in pool.map(lambda at: sweep.one(*at), enumerate(cases)):
            if row:
                found.append(row)
                if output:
                    print(json.dumps(row), file=output, flush=True)
                if row["broken"]:
                    print(json.dumps(row), flush=True)
    broken = [row for row in found if row["broken"]]
    print(f"{len(found)} faults, {sum(row['hit'] for row in found)} met by a call, {len(broken)} broke a promise")
    if given.out:
        given.out.write_text(table(found, sweep, "lavapipe"))
    return 1 if broken or not found else 0


if __name__ == "__main__":
    sys.exit(main())
