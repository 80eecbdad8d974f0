#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scripts/test.sh in a made-up repository with scripted tests and programs, and checks its counts. A test that was
not run has not passed, and a lost test has failed.

usage: test_check.py
"""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ("test.sh", "tally.sh")

# find.sh of the made-up repository. Each word of `has` is a thing on this machine.
FIND = """
has() {{ case " {has} " in *" $1 "*) echo "{folder}/$1" ;; *) return 1 ;; esac }}
lavapipe_manifest() {{ has lavapipe; }}
swiftshader_manifest() {{ has swiftshader; }}
validation_manifest() {{ has layer; }}
browser() {{ has chromium; }}
axe_script() {{ has axe; }}
python_with() {{ for module in "$@"; do has "$module" >/dev/null || return; done; echo "{folder}/interpreter"; }}
use_driver() {{ export VK_DRIVER_FILES="$1"; }}
"""
EVERYTHING = "lavapipe swiftshader layer chromium axe json numpy scipy jsonschema yaml"
OK = "exit 0"
EXAMPLE = "echo '65536 sums in workgroups of 64: 0 wrong'"
# CHECKS counts the checks in Python of test.sh, and the recipes. STEPS also has smoke on two drivers, the example and
# the pages.
CHECKS = 1 + len(re.findall('^ *(?:presubmit|deep) python "', (HERE / "scripts/test.sh").read_text(), re.M))
STEPS = 4 + CHECKS
# PRESUBMIT has smoke on one driver, the example and its checks. DEEP has smoke on two, the example again, pages,
# recipes and its checks.
PRESUBMIT, DEEP = (least + len(re.findall(f'^ *{depth} python "', (HERE / "scripts/test.sh").read_text(), re.M))
              for depth, least in (("presubmit", 2), ("deep", 5)))
REST = 4 + STEPS  # vulkan-timeout_test has two tests on two drivers


def cmocka(passed=(), skipped=(), failed=(), group="", says="", why="hardware: no x", begun=None, status=None):
    """Returns a program with the output of cmocka. If `begun` is given, the summary is missing."""
    count = len(passed) + len(skipped) + len(failed) if begun is None else begun
    lines = [f"[==========] {group}Running {count} test(s)."]
    for name in skipped:
        lines += [*([f"NOT RUN {why}"] if why else []), f"[  SKIPPED ] {name}"]
    lines += [says]
    if begun is None:
        lines += [f"[  PASSED  ] {group}{len(passed)} test(s)."]
        for word, names in (("SKIPPED ", skipped), ("FAILED  ", failed)):
            lines += [f"[  {word}] {group}{len(names)} test(s), listed below:"] if names else []
            lines += [f"[  {word}] {name}" for name in names]
    text = "\n".join(lines)
    return f"cat <<'END'\n{text}\nEND\nexit {len(failed) if status is None else status}"


GOOD = cmocka(("a", "b"))


class Repository:
    """A repository with scripts/test.sh, and with the case's tests and programs instead of built ones."""

    def __init__(self, folder, case):
        self.folder = folder
        for name in ("scripts/tests", "build/tests"):
            (folder / name).mkdir(parents=True)
        for name in SCRIPTS:
            shutil.copy(HERE / "scripts" / name, folder / "scripts")
        (folder / "scripts/find.sh").write_text(FIND.format(has=case.has, folder=folder))
        (folder / "scripts/least_tests").write_text(case.least_tests)
        self.program("build/vkassay", case.vkassay)
        self.program("build/example", EXAMPLE)
        self.program("interpreter", case.interpreter)
        self.program("bin/jq", OK)
        self.tests = [self.program(f"build/tests/{name}", text)
                      for name, text in (("base-a_test", case.tested), ("vulkan-timeout_test", GOOD)) if not case.none]

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)
        return str(path)

    def run(self, depth):
        env = {**os.environ, "DEPTH": depth, "BUILT": "12", "BUILD": str(self.folder / "build"), "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        done = subprocess.run([str(self.folder / "scripts/test.sh"), *self.tests], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, cwd=self.folder)
        return done.returncode, done.stdout


def line(part, passed, failed, absent):
    return rf"^{part} +{passed} passed +{failed} failed +{absent} not run +[0-9]+ s$"


@dataclasses.dataclass
class Case:
    what: str
    expected: tuple  # exit status; numbers of tests passed, failed and not run
    tested: str = GOOD  # base-a_test; vulkan-timeout_test is sound
    has: str = EVERYTHING
    least_tests: str = "3 tests on lavapipe\n"
    none: bool = False  # no test programs are given
    vkassay: str = OK
    interpreter: str = OK
    says: tuple = ()  # patterns; each must be in a line
    silent: tuple = ()  # patterns that no line may have
    depth: str = ""  # "": all

    def wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            status, text = Repository(pathlib.Path(folder), self).run(self.depth)
        sums = re.search(r"^(\d+) passed, (\d+) failed, (\d+) not run\n\Z", text, re.M)
        got = (status, *map(int, sums.groups())) if sums else (status,)
        wrong = [f"expected {self.expected}, found {got}"] if got != self.expected else []
        wrong += [f"no line has {pattern!r}" for pattern in self.says if not re.search(pattern, text, re.M)]
        wrong += [f"a line has {pattern!r}" for pattern in self.silent if re.search(pattern, text, re.M)]
        for fault in wrong:
            print(f"{self.what}: {fault}\n{text}")
        return bool(wrong)


CASES = [
    Case("all is here", (0, 2 + REST, 0, 0), silent=["^not run: "],
         says=[line("tests on lavapipe", 4, 0, 0), line("tests on SwiftShader", 2, 0, 0),
               line("smoke suite on SwiftShader", 1, 0, 0), line("example of a tuned table", 1, 0, 0),
               line("pages in a browser", 1, 0, 0), line("references against numpy", 1, 0, 0),
               line("schemas", 1, 0, 0), line("recipes of CI", 1, 0, 0)]),
    Case("before a change is submitted", (0, 2 + 2 + 2 + PRESUBMIT, 0, 0), depth="presubmit", silent=["^pages in", "^Slurm", "deep"],
         says=[line("tests on lavapipe", 4, 0, 0), line("tests on SwiftShader", 2, 0, 0), line("schemas", 1, 0, 0),
               "^12 s for installing and building, [0-9]+ s for programs and checks beside each other, [0-9]+ s for the rest$",
               "^slowest: 1 s of CPU: tests on lavapipe: base-a_test; 0 s of CPU: "],
         tested="bash -c 'ulimit -c 0 -t 1; while :; do :; done'\n" + GOOD),
    Case("the rest", (1, DEEP, 2, 0), depth="deep", silent=["^schemas", "base-a_test:"],
         says=["^failed: tests on lavapipe, deep: there were 0 tests, expected at least 1$",
               line("smoke suite on SwiftShader, deep", 1, 0, 0),
               line("Slurm", 1, 0, 0), line("pages in a browser", 1, 0, 0), line("recipes of CI", 1, 0, 0)]),
    Case("nothing but lavapipe", (0, 4 + 2, 0, 4 + CHECKS), has="lavapipe",
         least_tests="2 tests on lavapipe\n9 tests on SwiftShader\n",
         says=[line("tests on SwiftShader", 0, 0, 1), line("smoke suite on SwiftShader", 0, 0, 1),
               line("pages in a browser", 0, 0, 1), line("references against numpy", 0, 0, 1),
               line("schemas", 0, 0, 1), line("recipes of CI", 0, 0, 1), line("validation layer", 0, 0, 1),
               "^not run: pages in a browser: missing: Chromium "]),
    Case("no tests at all", (1, STEPS, 2, 0), none=True,
         says=["^failed: tests on lavapipe: there were 0 tests, expected at least 3$"]),
    Case("a test that was skipped", (0, 2 + REST, 0, 1), cmocka(("a", "b"), ("c",)),
         says=["^not run: tests on lavapipe: base-a_test: c: hardware: no x$", line("tests on lavapipe", 4, 0, 1)]),
    Case("a test that was skipped without a reason", (1, 2 + REST, 1, 1), cmocka(("a", "b"), ("c",), why=""),
         says=["^failed: tests on lavapipe: base-a_test: c: no reason, expected a line NOT RUN$"]),
    Case("one with a reason before one without", (1, 2 + REST, 1, 2),
         cmocka(("a", "b"), ("c",), says="[  SKIPPED ] d", begun=None).replace("SKIPPED ] 1 t", "SKIPPED ] 2 t").replace(
             "Running 3", "Running 4"), says=["base-a_test: d: no reason"]),
    Case("the same of a newer cmocka", (0, 2 + REST, 0, 1), cmocka(("a", "b"), ("c",), group="tests: "),
         says=["^not run: tests on lavapipe: base-a_test: c: hardware: no x$"]),
    Case("most were skipped", (0, REST, 0, 2), cmocka((), ("b", "c"))),
    Case("a test that failed", (1, 2 + REST, 1, 0), cmocka(("a", "b"), failed=("c",)),
         says=["^failed: tests on lavapipe: base-a_test ended with 1$"]),
    Case("a program that ends early, and well", (1, REST, 3, 0), cmocka(("a",), begun=3, status=0),
         says=["base-a_test ended with 0: 3 tests were begun, 0 passed"]),
    Case("a program without tests", (1, REST, 1, 0), OK, least_tests="", says=["ended with 0: 0 tests were begun"]),
    Case("a program that fails after its tests", (1, 2 + REST, 1, 0), cmocka(("a", "b"), status=9)),
    Case("too few tests on SwiftShader", (1, 2 + REST, 1, 0), least_tests="3 tests on SwiftShader\n",
         says=["^failed: tests on SwiftShader: there were 2 tests, expected at least 3$"]),
    Case("a test that took several tries", (0, 2 + REST, 0, 0),
         cmocka(("a", "b"), says="TRIES 3 of at most 8, the last held: a busy host\nTRIES 1 of at most 2: no"),
         says=["^repeated: tests on lavapipe: base-a_test: 3 of at most 8, the last held: a busy host$"],
         silent=["^repeated: .*1 of at most"]),
    Case("a program that finds faults", (1, 2 + REST - 3, 3, 0), vkassay="exit 1",
         says=[line("smoke suite on lavapipe", 0, 1, 0), line("example of a tuned table", 0, 1, 0)]),
    Case("checks in Python that fail", (1, 2 + REST - (1 + CHECKS), 1 + CHECKS, 0), interpreter="exit 1",
         says=[line("schemas", 0, 1, 0), line("references against numpy", 0, 1, 0)]),
    Case("checks in Python that cannot be run here", (0, 2 + REST - (1 + CHECKS), 0, 1 + CHECKS),
         interpreter="echo begins; echo NOT RUN missing: Slurm; exit 77",
         says=["^not run: Slurm: missing: Slurm$", line("Slurm", 0, 0, 1)]),
    Case("checks in Python that cannot be run here and do not say why", (1, 2 + REST - (1 + CHECKS), 1 + CHECKS, 0),
         interpreter="exit 77"),
    Case("checks in Python of which a part is not run", (0, 2 + REST, 0, 2 * (1 + CHECKS)),
         interpreter="echo NOT RUN missing: zsh; echo NOT RUN missing: fish; exit 0",
         says=["^not run: Slurm: missing: fish$", line("Slurm", 1, 0, 2)]),
]

if __name__ == "__main__":
    sys.exit(1 if sum([case.wrong() for case in CASES]) else 0)
