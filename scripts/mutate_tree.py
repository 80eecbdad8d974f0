# SPDX-License-Identifier: Apache-2.0
"""A copy of the tree for changes of C: its program and tests use two shared libraries, and a change replaces one.

The second library has all wings. The first is searched before it, and is empty, or has the changed file. So a change
costs one compiled file, and no test is linked again.
"""
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import time

import wings

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHANGE, LIBRARY = "build/libchange.so", "build/libvkassay.so"
NUMPY = "reference-evaluate"


def copy_sources(folder):
    """Copies new and changed files of the working tree, and removes those that are gone."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, text=True,
                            capture_output=True).stdout.split("\n")
    names = {name for name in listed if name and (ROOT / name).is_file()}
    for name in names:
        target, source = folder / name, ROOT / name
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    for path in [*folder.glob("harness/**/*.[ch]"), *folder.glob("reference/**/*.[ch]")]:
        if str(path.relative_to(folder)) not in names:
            path.unlink()


class Tree:
    """One copy with its own build. Two trees run tests beside each other."""

    def __init__(self, folder, make):
        self.folder = pathlib.Path(folder).resolve()
        self.make = [*make, "OPTIMIZE=-O1 -fPIC", "V=1", "--no-print-directory"]
        self.folder.mkdir(parents=True, exist_ok=True)
        copy_sources(self.folder)
        self.commands = {}
        self.fresh = set()  # tests that were built now

    def do(self, command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)[:300]}\n{done.stderr[-2000:]}")
        return done.stdout

    def build(self, tests):
        """Builds the library, the program and these tests, which are linked with the library."""
        planned = self.do([*self.make, "-n", "-B", "program", "build/tests/commands-options_test"])
        self.read_commands(planned)
        archives = re.findall(r"build/lib\w+\.a", self.link_line(planned, "-o build/vkassay"))
        self.do([*self.make, *archives, "build/harness/main.o"])
        libraries = self.link_line(planned, "-o build/vkassay").split("build/libreference.a", 1)[1]
        libraries = libraries.replace("-o build/vkassay", "")
        library = self.folder / LIBRARY
        if not library.exists() or any((self.folder / a).stat().st_mtime > library.stat().st_mtime for a in archives):
            self.do(["sh", "-c", f"gcc -shared -o {LIBRARY} -Wl,--whole-archive {' '.join(archives)} "
                                 f"-Wl,--no-whole-archive {libraries}"])
        self.change([])
        link = (f"-Lbuild -Wl,--no-as-needed -lchange -lvkassay -Wl,--as-needed -Wl,-rpath,{self.folder}/build "
                f"{libraries}")
        self.do(["sh", "-c", f"gcc -rdynamic build/harness/main.o -o build/vkassay {link}"])
        (self.folder / "build/tests").mkdir(exist_ok=True)
        flags = self.commands["harness/main.c"][0]
        for test in tests:
            self.build_test(test, flags, link)

    def build_test(self, test, flags, link):
        source, target = test_source(test), self.folder / "build/tests" / test
        list_of = target.with_name(test + ".d")  # the headers of its last build
        names = re.findall(r"[^\s\\]+\.[ch]\b", list_of.read_text()) if target.exists() and list_of.exists() else []
        made_from = [self.folder / name for name in names]
        if made_from and all(path.exists() and path.stat().st_mtime < target.stat().st_mtime for path in made_from):
            return
        self.do(["sh", "-c", f"{flags} -MMD {source} -o build/tests/{test} {link} -lcmocka"])
        self.fresh.add(test)

    @staticmethod
    def link_line(planned, part):
        return next(line for line in planned.split("\n") if part in line and "ar rcs" not in line)

    def read_commands(self, planned):
        """Keeps how each source is compiled: a list, because some sources are compiled twice."""
        for line in planned.split("\n"):
            found = re.match(r"(.*) -c (\S+\.c) -o \S+$", line)
            if found:
                self.commands.setdefault(found.group(2), []).append(found.group(1).replace("-MMD -MP", ""))

    def flags(self, name):
        """Returns the arguments of the first compilation of a source, for libclang."""
        return [word for word in shlex.split(self.commands[name][0]) if word.startswith(("-D", "-I", "-std"))]

    def compile(self, name, text):
        """Makes the library of a changed source. Returns whether it compiles."""
        path = self.folder / name
        kept = path.read_bytes()
        objects = []
        try:
            path.write_bytes(text)
            for i, command in enumerate(self.commands[name]):
                objects.append(f"build/change{i}.o")
                made = subprocess.run(["sh", "-c", f"{command} -w -c {name} -o {objects[-1]}"], cwd=self.folder,
                                      stderr=subprocess.DEVNULL, check=False)
                if made.returncode:
                    return False
        finally:
            path.write_bytes(kept)
        self.change(objects)
        return True

    def change(self, objects):
        """Makes the first library of these objects, or an empty one."""
        self.do(["gcc", "-shared", *objects, "-x", "c", "/dev/null", "-o", f"{CHANGE}.new"])
        (self.folder / f"{CHANGE}.new").rename(self.folder / CHANGE)

    def holds(self, test, seconds):
        """Runs a test. Returns whether it passed within the time, and its seconds."""
        start = time.monotonic()
        command = test_command(test)
        environment = {**os.environ, "VKASSAY_TEST_DEPTH": "presubmit", "VKASSAY_CACHE": str(self.folder / "build/cache")}
        process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            passed = process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            passed = False
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # also what the test has started
            except ProcessLookupError:
                pass
            process.wait()
        return passed, time.monotonic() - start


def test_source(test):
    """Returns the source of a test program: timing-timing_test is harness/engine/timing/tests/timing_test.c. A program of
    blocks is their runner under another name."""
    source = wings.test_source(test)
    if source.suffix == ".txt":
        source = source.parent.parent / "blocks_test.c"
    return str(source.relative_to(ROOT))


def test_command(test):
    """Returns the command of a test: the program, or for NUMPY the comparison of reference-evaluate with numpy."""
    if test == NUMPY:
        return ["bash", "-c", ". scripts/find.sh && $(python_with numpy scipy) reference/tests/numpy_check.py "
                f"build/tests/{test}"]
    return [f"build/tests/{test}"]
