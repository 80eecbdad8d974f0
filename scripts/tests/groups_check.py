#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scripts/install.sh with a made-up table of three packages, and with an apt-get that only records its calls.
Packages for building must be there; packages for tests are installed as far as possible.

usage: groups_check.py
"""
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "install.sh"
TABLE = """needs() {
    cat <<'TABLE'
build | a compiler | test -e HERE/cc | cc | cc | cc
test | a reader | test -e HERE/reader | reader | reader | reader
test | a writer | test -e HERE/writer | writer | writer | writer
TABLE
}
"""
FIND = "wgsl_package() { :; }\naxe_script() { :; }\n"
# Installs a whole list, or nothing if one package is refused.
APT_GET = """#!/bin/bash
echo "apt-get $*" >>HERE/asked
[ "$1" = update ] && exit 0
for word in "${@:4}"; do case " REFUSED " in *" $word "*) echo "Unable to locate package $word"; exit 100 ;; esac; done
for word in "${@:4}"; do touch "HERE/$word"; done
"""


@dataclasses.dataclass
class Case:
    what: str
    status: int
    there: tuple  # cc, reader and writer, if they exist afterwards
    groups: tuple = ("test",)
    before: tuple = ("cc",)
    refused: str = ""
    user: int = 0
    says: tuple = ()
    no_install: str = ""
    asked: int = None  # expected calls of apt-get; None: any number

    def run(self, here):
        text = re.sub(r"^needs\(\) \{\n.*?^\}\n", lambda _: TABLE, SCRIPT.read_text(), flags=re.M | re.S)
        files = {"install.sh": text, "find.sh": FIND, "bin/apt-get": APT_GET.replace("REFUSED", self.refused),
                 "bin/id": f"#!/bin/sh\necho {self.user}\n", "bin/sleep": "#!/bin/sh\n",
                 "bin/sudo": "#!/bin/sh\nexit 1\n"}
        (here / "bin").mkdir()
        for name, content in files.items():
            (here / name).write_text(content.replace("HERE", str(here)))
            (here / name).chmod(0o755)
        for name in self.before:
            (here / name).touch()
        env = {**os.environ, "PATH": f"{here}/bin:{os.environ['PATH']}", "NO_INSTALL": self.no_install or "0"}
        return subprocess.run(["bash", str(here / "install.sh"), *self.groups], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)

    def wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder)
            done = self.run(here)
            there = tuple(name for name in ("cc", "reader", "writer") if (here / name).exists())
            asked = (here / "asked").read_text().count("\n") if (here / "asked").exists() else 0
        faults = [f"no line has {part!r}" for part in self.says if part not in done.stdout]
        for name, expected, found in (("status", self.status, done.returncode), ("there", self.there, there),
                                      ("calls", asked if self.asked is None else self.asked, asked)):
            faults += [f"{name}: expected {expected}, found {found}"] if expected != found else []
        for fault in faults:
            print(f"{self.what}: {fault}\n{done.stdout}")
        return bool(faults)


ALL = ("cc", "reader", "writer")
CASES = [
    Case("everything is here", 0, ALL, before=ALL, asked=0),
    Case("what building needs is installed", 0, ("cc",), groups=(), before=(), asked=2),
    Case("what building needs does not exist", 1, (), before=(), refused="cc", says=["failed again"]),
    Case("what tests use is installed at once", 0, ALL, asked=2),
    Case("a package of tests does not exist here", 0, ("cc", "writer"), refused="reader",
         says=["cannot install: reader", "tests that need these are not run: a reader\n"]),
    Case("there is no network", 0, ("cc",), refused="reader writer", says=["cannot install: reader", "cannot install: writer"]),
    Case("nothing is to be installed", 0, ("cc",), no_install="1", asked=0, says=["NO_INSTALL", "reader writer"]),
    Case("nothing is to be installed, and the compiler is missing", 1, (), before=(), no_install="1", asked=0),
    Case("a user whom sudo refuses", 0, ("cc",), user=1000, asked=0, says=["sudo was refused", "apt-get install"]),
    Case("the same without a compiler", 1, (), before=(), user=1000, asked=0),
]

if __name__ == "__main__":
    sys.exit(1 if sum([case.wrong() for case in CASES]) else 0)
