#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes small changes to the harness; a test must notice each: scripts/mutants_harness.py [OPTION...]

Applies every change of scripts/mutants_harness.json, one at a time, to a copy of the committed tree. Builds it and runs
the tests that must notice the change. Prints the survivors and writes the score as JSON. --at-once N makes N changes
together; then a test of every changed component must fail.
The tests run on the driver named by the environment (`make mutants-harness` sets lavapipe)."""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import queue
import random
import shlex
import shutil
import subprocess
import sys
import time

import figures_mutants
import wings

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEST_SECONDS = 300
LEAST_SCORE = 0.97


class Tree:
    """A copy of the committed files, or of another built tree. It has its own build."""

    def __init__(self, folder, make, like=None):
        self.folder, self.make = folder, make
        shutil.rmtree(folder, ignore_errors=True)
        if like:
            shutil.copytree(like.folder, folder, symlinks=True)
            return
        folder.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)

    def build(self, targets):
        done = subprocess.run([*self.make, *targets], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        return None if done.returncode == 0 else done.stderr

    def holds(self, tests):
        """Returns whether all tests pass. A test that does not end in time has failed, too."""
        for test in tests:
            try:
                done = subprocess.run([f"build/tests/{test}"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL, timeout=TEST_SECONDS)
            except subprocess.TimeoutExpired:
                return False
            if done.returncode != 0:
                return False
        return True


def targets_of(tests):
    """Returns the targets of the tests. Tests of commands and supervise also start the program."""
    programs = [f"build/tests/{test}" for test in tests]
    return programs + (["program"] if any(test.startswith(("commands-", "supervise-")) for test in tests) else [])


def changed(text, mutant):
    """Returns the changed text and None, or None and the fault of the entry."""
    count = text.count(mutant["old"])
    if count != 1:
        return None, f"\"old\" is there {count} times, not once"
    return text.replace(mutant["old"], mutant["new"]), None


def check_table(mutants):
    """Yields a line for each fault of the table: entries that no longer fit the sources."""
    names = collections.Counter(mutant["name"] for mutant in mutants)
    for mutant in mutants:
        path = ROOT / mutant["file"]
        error = changed(path.read_text(), mutant)[1] if path.exists() else "no such file"
        missing = [test for test in mutant["tests"] if not wings.test_source(test).exists()]
        if error:
            yield f"{mutant['name']}: {mutant['file']}: {error}"
        if missing:
            yield f"{mutant['name']}: no test {' '.join(missing)}"
        if names[mutant["name"]] > 1:
            yield f"{mutant['name']}: more than one change has this name"


def try_one(tree, mutant):
    """Returns a verdict (killed, survived or error) and the note of an error."""
    path = tree.folder / mutant["file"]
    if not path.exists():
        return "error", f"{mutant['file']}: no such file"
    whole = path.read_text()
    text, error = changed(whole, mutant)
    if error:
        return "error", error
    try:
        path.write_text(text)
        error = tree.build(targets_of(mutant["tests"]))
        if error:
            return "error", "does not build: " + " / ".join(error.strip().splitlines()[:3])
        return ("survived" if tree.holds(mutant["tests"]) else "killed"), ""
    finally:
        path.write_text(whole)


def sound(tree, mutants):
    """Runs every named test before anything is changed, and returns the failing ones."""
    tests = sorted({test for mutant in mutants for test in mutant["tests"]})
    error = tree.build(targets_of(tests))
    if error:
        sys.exit(f"the tests do not build:\n{error}")
    return [test for test in tests if not tree.holds([test])]


def entry_of(mutant):
    """Returns the members that identify a change, to find its verdict in an earlier result."""
    return {key: mutant[key] for key in ("name", "file", "old", "new", "tests")}


def run_all(mutants, trees, kept, git):
    """Returns a verdict for each mutant, in order. Verdicts in `kept` are reused if name and entry are equal."""
    free = queue.Queue()
    for tree in trees:
        free.put(tree)

    def work(mutant):
        earlier = kept.get(mutant["name"])
        if earlier and entry_of(earlier) == entry_of(mutant):
            return earlier
        tree = free.get()
        start = time.monotonic()
        try:
            verdict, note = try_one(tree, mutant)
        finally:
            free.put(tree)
        print(f"{verdict:9}{time.monotonic() - start:6.1f} s  {mutant['name']}{': ' + note if note else ''}",
              file=sys.stderr, flush=True)
        return {**entry_of(mutant), "verdict": verdict, "git": git,
                **({"note": note} if note else {}), **({"why": mutant["why"]} if "why" in mutant else {})}

    with concurrent.futures.ThreadPoolExecutor(len(trees)) as pool:
        return list(pool.map(work, mutants))


def drawn(mutants, count, seed):
    """Draws `count` changes. Each turn takes one change of every component, until there are enough."""
    order = random.Random(seed).sample(mutants, len(mutants))
    turn = collections.Counter()
    turns = []
    for mutant in order:
        turn[wings.component_of(mutant["file"])] += 1
        turns.append((turn[wings.component_of(mutant["file"])], mutant))
    return [mutant for _, mutant in sorted(turns, key=lambda pair: pair[0])][:count]


def apply_all(tree, mutants):
    """Makes the changes in one tree and returns those made. Two changes of one place exclude each other."""
    made = []
    for mutant in mutants:
        path = tree.folder / mutant["file"]
        text, error = changed(path.read_text(), mutant)
        if not error:
            path.write_text(text)
            made.append(mutant)
    return made


def at_once(tree, mutants):
    """Makes the changes in one tree and prints the failing tests by component. Returns the components without one."""
    made = apply_all(tree, mutants)
    tests = sorted({test for mutant in made for test in mutant["tests"]})
    error = tree.build(targets_of(tests))
    if error:
        sys.exit(f"the changes do not build together (another --seed draws others):\n{error}")
    red = {test for test in tests if not tree.holds([test])}
    silent = []
    for component in sorted({wings.component_of(mutant["file"]) for mutant in made}):
        own = [mutant for mutant in made if wings.component_of(mutant["file"]) == component]
        named = {test for mutant in own for test in mutant["tests"]}
        print(f"{component}: {len(own)} changes, {len(named & red)} of {len(named)} tests fail: "
              f"{', '.join(sorted(named & red))}")
        for mutant in own:
            print(f"    {'noticed' if red & set(mutant['tests']) else 'UNSEEN'}  {mutant['name']}")
        if not named & red:
            silent.append(component)
    print(f"{len(made)} changes at once: " + (f"no test of {', '.join(silent)} fails" if silent else
                                              "tests of every component that they touch fail"))
    return silent


def revision():
    git = subprocess.run(["git", "describe", "--always"], cwd=ROOT, capture_output=True, text=True, check=True)
    return git.stdout.strip()


def killed_in(path):
    """Returns the kills of an earlier result, by name. They need not be found again."""
    return {v["name"]: v for v in json.loads(path.read_text())["mutants"] if v["verdict"] == "killed"} if path else {}


def score(verdicts):
    killed = sum(v["verdict"] == "killed" for v in verdicts)
    survived = sum(v["verdict"] == "survived" for v in verdicts)
    return {"tool": {"name": "vkassay", "git": revision()}, "killed": killed, "survived": survived,
            "score": killed / max(1, killed + survived), "mutants": verdicts}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--table", type=pathlib.Path, default=ROOT / "scripts/mutants_harness.json")
    options.add_argument("--only", default="", help="changes whose name or file holds this text")
    options.add_argument("--check-table", action="store_true", help="only say which entries no longer fit the sources")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/mutants-harness")
    options.add_argument("--at-once", type=int, metavar="N", help="N changes of all components together, in one tree")
    options.add_argument("--seed", type=int, default=1, help="which changes --at-once draws")
    options.add_argument("--make", default="make OPTIMIZE=-O1", help="how a tree is built")
    options.add_argument("--keep", type=pathlib.Path,
                         help="an earlier result: what it says is killed is not tried again")
    options.add_argument("--out", type=pathlib.Path,
                         help="folder for harness-mutants.json, of which make figures makes the page")
    args = options.parse_args()
    mutants = [m for m in json.loads(args.table.read_text()) if args.only in m["name"] or args.only in m["file"]]
    if not mutants:
        sys.exit("no change of the table has that in its name or file")
    if args.check_table:
        wrong = list(check_table(mutants))
        print("\n".join(wrong) if wrong else f"{len(mutants)} changes fit the sources")
        return 1 if wrong else 0
    if args.at_once:
        mutants = drawn(mutants, args.at_once, args.seed)
    first = Tree(args.folder / "0", shlex.split(args.make))
    failing = sound(first, mutants)
    if failing:
        sys.exit("these fail before anything is changed: " + " ".join(failing))
    if args.at_once:
        return 1 if at_once(first, mutants) else 0
    trees = [first] + [Tree(args.folder / str(i), first.make, first) for i in range(1, min(args.jobs, len(mutants)))]
    result = score(run_all(mutants, trees, killed_in(args.keep), revision()))
    print(figures_mutants.harness_page(result))
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        (args.out / "harness-mutants.json").write_text(json.dumps(result, indent=1) + "\n")
    errors = [v for v in result["mutants"] if v["verdict"] == "error"]
    unexplained = [v for v in result["mutants"] if v["verdict"] == "survived" and "why" not in v]
    if errors:
        print(f"{len(errors)} changes cannot be made: mend the table", file=sys.stderr)
    return 1 if errors or unexplained or result["score"] < LEAST_SCORE else 0


if __name__ == "__main__":
    sys.exit(main())
