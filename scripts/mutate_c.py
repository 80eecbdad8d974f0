#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws small changes of the harness by rules, and runs the tests that must notice: scripts/mutate_c.py [OPTION...]

mutate_rules.py finds all changes of a component. --count of them are drawn by --seed: first a place, then one of its
changes. The component's own tests run first, the fastest one before the others, and then the tests of ABOVE. Verdicts:

killed      a test failed, or did not end in time
survived    all tests passed
not built   the change does not compile
equivalent  no input shows the change: scripts/mutate_equivalent.json has the reason, read by a person

Verdicts are kept in the folder. A survivor is tried again if a test has changed, unless no input shows it.
The tests run on the driver named by the environment (`make mutants-drawn` sets lavapipe)."""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import pathlib
import queue
import random
import shlex
import subprocess
import sys
import threading
import time

import figures_mutants
import mutate_rules
import wings
from mutate_tree import NUMPY, ROOT, Tree, test_source

EQUIVALENT = ROOT / "scripts/mutate_equivalent.json"
# Tests of higher components, by the component that they test too: whole components, or single programs.
ABOVE = {
    "reference": ["judge", "check", NUMPY],
    "base": ["record", "manifest", "compile", "schema", "readers-export_test", "supervise-protocol_test"],
    "stats": ["timing", "record-compare_test", "readers-comparison_test", "tune-search_test"],
    "spirv": ["compile", "program", "run-check_lines_test", "mutate"],
    "compile": ["program", "vulkan"],
    "device": ["vulkan", "schema", "program"],
    "vulkan": ["program", "check", "run-probe_test", "run-group_test", "commands-devices_test"],
    "judge": ["check", "tiers", "run-exact_test"],
    "record": ["schema", "readers-tables_test", "readers-comparison_test", "readers-export_test", "supervise-protocol_test"],
    "manifest": ["plan", "tiers", "program", "commands-custom_test", "commands-init_test"],
    "plan": ["tiers", "commands-options_test", "commands-list_test", "commands-shards_test", "commands-sizes_cli_test"],
    "tiers": ["commands-exhaustive_tier_cli_test", "commands-only_test"],
    "claims": ["commands-claims_test"],
    "readers": ["commands-output_test", "commands-report_cli_test", "commands-progress_test", "commands-table_test",
               "commands-peaks_cli_test", "commands-claims_test"],
    "program": ["check", "run"],
    "check": ["run", "commands-faults_test"],
    "timing": ["run-probe_counts_test", "run-drift_test"],
    "run": ["check", "supervise-worker_test", "commands-peaks_cli_test", "commands-faults_test",
            "commands-reference_only_test", "commands-samples_test", "commands-ab_test"],
    "mutate": ["commands-mutate_cli_test", "commands-mutate_kills_test"],
    "tune": ["tune-session_test", "tune-session_figures_test", "commands-tune_cli_test", "commands-table_test",
             "commands-limits_cli_test"],
    "supervise": ["commands-resume_test", "commands-shards_test", "commands-faults_test", "commands-progress_test",
                  "commands-jobs_cli_test", "commands-expectations_cli_test", "commands-ab_test"],
    "sanitize": ["sanitized", "check-check_test"],
    "sanitized": ["check-check_test"],
    "adopt": ["commands-init_test", "commands-try_test"],
    "schema": [],
    "replay": ["recorded", "commands-captured_test"],
    "capture": ["replay", "commands-capture_test"],
    "recorded": ["commands-captured_test"],
    "paired": ["record-compare_test", "readers-comparison_test", "commands-command_compare_test"],
    "captured": ["recorded", "commands-captured_test"],
    "recognise": ["commands-recognised_test"],
    "commands": [],
}
# Tests of commands start the program and take long, so a file of commands has only these: files whose name begins so.
OF_COMMANDS = {
    "command_ab": ["ab", "only"], "baseline": ["command_compare", "gate_missing"], "bench/present_claims": ["claims"],
    "command_compare": ["command_compare"], "command_devices": ["devices"],
    "command_export": ["report_cli", "output", "files"], "command_init": ["init"],
    "command_gate": ["gate_missing", "command_compare", "limits_cli"], "command_list": ["list"],
    "complete": ["output"], "command_merge": ["shards"],
    "command_mutate": ["mutate_cli"], "command_report": ["report_cli", "output"],
    "command_spirv": ["committed_spirv"], "tune_join": ["table"], "command_try": ["try"],
    "command_tune": ["tune_cli"], "listing/": ["list"], "mutate_run": ["mutate_cli"], "option": ["options"],
    "report_gallery": ["report_cli", "table"], "prepare": ["list", "only", "limits_cli", "custom"],
    "command_bench": ["partial", "resume", "progress", "samples", "sizes_cli"],
    "bench/again": ["again", "command_compare"],
    "questions/": ["invariant", "ladder", "repeat"], "selftest/": ["selftest"], "schema/": ["output", "list"],
    "init/versus": ["try"], "init/": ["init"],
    "bench/": ["partial", "resume", "progress", "samples", "sizes_cli", "expectations_cli", "jobs_cli"],
}
NOT_RUN = ("commands-scale_test",)  # of the deep test only


def programs_of(component):
    tests = wings.COMPONENTS[component] / "tests"
    names = {path.stem for path in tests.glob("*_test.c")} | {f"{path.stem}_test" for path in tests.glob("blocks/*.txt")}
    return [f"{component}-{name}" for name in sorted(names)]


def tests_for(component, name, seconds):
    """Returns the tests of a file: of its component, or for a command those of its name."""
    tests = tests_of(component, seconds)
    if component != "commands":
        return tests
    own = name.split("/commands/")[1]
    chosen = [f"commands-{test}_test" for start, names in OF_COMMANDS.items() if own.startswith(start) for test in names]
    return [test for test in tests if test in chosen] or tests


def tests_of(component, seconds):
    """Returns the tests of a component, its own first, each part ordered by its last time."""
    above = [test for name in ABOVE[component] for test in ([name] if "-" in name else programs_of(name))]
    ordered = []
    for part in (programs_of(component), above):
        ordered += sorted((t for t in part if t not in NOT_RUN), key=lambda test: seconds.get(test, 1))
    return list(dict.fromkeys(ordered))


def sources_of(component, root):
    """Returns the component's sources in a copy of the tree, which does not change while this runs."""
    folder = root / wings.COMPONENTS[component].relative_to(ROOT)
    names = sorted(str(path.relative_to(root)) for path in folder.glob("**/*.c"))
    return [name for name in names if not {"tests", "reader"} & set(name.split("/")) and wings.component_of(name) == component]


def drawn(changes, count, seed):
    """Draws places at random, and one change of each."""
    places = collections.defaultdict(list)
    for change in changes:
        places[change.file, change.start, change.rule].append(change)
    order = random.Random(seed)
    names = order.sample(sorted(places), min(count, len(places)))
    return [order.choice(places[name]) for name in names]


def digest(tests):
    """Returns a hash of the tests' sources: a survivor is tried again if it has changed."""
    whole = hashlib.sha256()
    for test in tests:
        folder = (ROOT / test_source(test)).parent
        for path in [ROOT / test_source(test), *sorted(folder.glob("*.h")), *sorted(folder.glob("*.py"))]:
            whole.update(path.read_bytes())
    return whole.hexdigest()[:12]


class Kept:
    """Verdicts and times of earlier runs, in one file."""

    def __init__(self, path, longest=600):
        self.path, self.longest = path, longest
        value = json.loads(path.read_text()) if path.exists() else {}
        self.verdicts, self.seconds = value.get("verdicts", {}), value.get("seconds", {})
        self.equivalent = {key for key, row in json.loads(EQUIVALENT.read_text()).items() if row["equivalent"]}
        self.fresh = set(value.get("fresh", []))  # built, but not yet run without a change
        self.cut = set(value.get("cut", []))  # ended at a limit, so they take longer than their time says
        self.lock, self.writing = threading.Lock(), threading.Lock()

    def save(self):
        with self.writing:
            value = {"verdicts": dict(self.verdicts), "seconds": dict(self.seconds), "fresh": sorted(self.fresh),
                     "cut": sorted(self.cut)}
            self.path.write_text(json.dumps(value, indent=1) + "\n")

    def is_long(self, test):
        return self.seconds.get(test, 0) >= self.longest

    def measure(self, tree, test):
        """Runs a fresh test without a change, and ends the program if it fails. Returns whether it was run."""
        with self.lock:
            known = test in self.seconds and test not in self.fresh
            if known and (test not in self.cut or self.is_long(test)):
                return False
            tree.change([])
            passed, seconds = tree.holds(test, self.longest)
            if not passed and seconds < self.longest:
                sys.exit(f"{test} fails before anything is changed")
            self.seconds[test] = round(seconds, 2)
            self.fresh.discard(test)
            (self.cut.discard if passed else self.cut.add)(test)
            self.save()
            return True

    def verdict(self, change, tests):
        earlier = self.verdicts.get(change.key)
        if earlier and earlier["verdict"] == "survived" and change.key not in self.equivalent:
            as_long = earlier.get("longest", 600) >= self.longest
            return earlier if as_long and earlier["tests"] == digest(tests) else None
        return earlier


def try_one(tree, change, tests, kept, revision):
    """Returns the verdict of one change, with the test that noticed it."""
    entry = {"verdict": "survived", "tests": digest(tests), "git": revision}
    if kept.longest < 600:
        entry["longest"] = kept.longest
    source = (tree.folder / change.file).read_bytes()
    changed = mutate_rules.applied(source, change)
    if not tree.compile(change.file, changed):
        return {**entry, "verdict": "not built"}
    for test in tests:
        if kept.measure(tree, test):
            tree.compile(change.file, changed)
        if not kept.is_long(test) and not tree.holds(test, 20 + 10 * kept.seconds[test])[0]:
            return {**entry, "verdict": "killed", "by": test}
    return entry


def run_all(component, changes, trees, kept, revision, seconds):
    """Returns the verdicts of changes, and None for those neither tried before nor begun within `seconds`."""
    free, begun = queue.Queue(), time.monotonic()
    for tree in trees:
        free.put(tree)

    def work(change):
        tests = tests_for(component, change.file, kept.seconds)
        verdict = kept.verdict(change, tests)
        if not verdict:
            tree, start = free.get(), time.monotonic()
            if start - begun > seconds:
                free.put(tree)
                return kept.verdicts.get(change.key)  # a survivor that is not tried again stays one
            try:
                verdict = try_one(tree, change, tests, kept, revision)
            finally:
                free.put(tree)
            kept.verdicts[change.key] = verdict
            kept.save()
            print(f"{verdict['verdict']:9}{time.monotonic() - start:6.1f} s  {change.key} {change.file}:{change.line} "
                  f"{change.rule}: {change.old_line} => {change.new_line}", file=sys.stderr, flush=True)
        return verdict

    with concurrent.futures.ThreadPoolExecutor(len(trees)) as pool:
        return list(pool.map(work, changes))


def entry_of(component, seed, change, verdict, equivalent):
    """Returns the change with its verdict, as the result has it."""
    entry = {"key": change.key, "room": component, "seed": seed, "file": change.file, "function": change.function, "rule": change.rule,
             "old": change.old_line, "new": change.new_line, "verdict": verdict["verdict"], "git": verdict["git"]}
    return explained(entry | {name: verdict[name] for name in ("by", "longest") if name in verdict}, equivalent)


def explained(entry, equivalent):
    """Returns the entry with its reason, if there is one and no test notices the change."""
    row = equivalent.get(entry["key"])
    if not row or entry["verdict"] not in ("survived", "equivalent"):
        return entry
    return entry | {"verdict": "equivalent" if row["equivalent"] else "survived", "why": row["why"]}


def write_result(path, head, entries, equivalent):
    """Writes the entries of the drawn components, after those of the file's other components and seeds, with today's reasons."""
    drawn_now = {(entry["room"], entry["seed"]) for entry in entries}
    earlier = json.loads(path.read_text()) if path.exists() else {"count": 0, "mutants": []}
    head = {**head, "count": max(head["count"], earlier["count"])}
    kept = [explained(entry, equivalent) for entry in earlier["mutants"]
            if (entry["room"], entry["seed"]) not in drawn_now]
    path.write_text(json.dumps({**head, "mutants": []})[:-2] + "\n" + ",\n".join(map(json.dumps, kept + entries)) +
                    "\n]}\n")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--component", action="append", choices=sorted(ABOVE), help="repeatable; otherwise all components")
    options.add_argument("--file", default="", help="changes only files whose name holds this text")
    options.add_argument("--count", type=int, default=25, help="changes a room")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=1, help="copies of the tree")
    options.add_argument("--seconds", type=float, default=float("inf"), help="a component's later changes are left out")
    options.add_argument("--longest", type=float, default=600, help="leaves out tests that take more seconds")
    options.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/mutants-drawn")
    options.add_argument("--make", default="make", help="how a tree is built")
    options.add_argument("--list", action="store_true", help="only print the drawn changes")
    options.add_argument("--out", type=pathlib.Path, help="folder of drawn-mutants.json, whose other components and seeds stay")
    args = options.parse_args()
    components = args.component or list(ABOVE)
    args.folder.mkdir(parents=True, exist_ok=True)
    kept = Kept(args.folder / "kept.json", args.longest)
    trees = [Tree(args.folder / str(i), shlex.split(args.make)) for i in range(args.jobs)]
    tests = [test for component in components for test in tests_of(component, {})]
    for tree in trees[:1] if args.list else trees:
        tree.build([] if args.list else list(dict.fromkeys(tests)))
        kept.fresh |= tree.fresh
    revision = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, check=True, text=True,
                              capture_output=True).stdout.strip()
    equivalent = json.loads(EQUIVALENT.read_text())
    entries = []
    for component in components:
        found = [change for name in sources_of(component, trees[0].folder) if args.file in name
                 for change in mutate_rules.changes(trees[0].folder / name, name, trees[0].flags(name))]
        chosen = drawn(found, args.count, args.seed)
        if args.list:
            print("\n".join(f"{c.key} {c.file}:{c.line} {c.rule}: {c.old_line} => {c.new_line}" for c in chosen))
            continue
        kept.save()
        verdicts = run_all(component, chosen, trees, kept, revision, args.seconds)
        name = f"{component}: {args.file}" if args.file else component
        entries += [entry_of(name, args.seed, c, v, equivalent) for c, v in zip(chosen, verdicts) if v]
    if not args.list:
        head = {"tool": {"name": "vkassay", "git": revision}, "count": args.count}
        print(figures_mutants.drawn_page({**head, "mutants": entries}))
        if args.out:
            write_result(args.out / "drawn-mutants.json", head, entries, equivalent)
    return 1 if any(e["verdict"] == "survived" and "why" not in e for e in entries) else 0


if __name__ == "__main__":
    sys.exit(main())
