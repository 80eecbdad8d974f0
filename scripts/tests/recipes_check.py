#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the CI recipes, scripts/github.yml and scripts/gitlab.yml, as their services would, on made-up repositories.

Each `run:` and `script:` line is run by bash. The built program replaces the one they would build. Stand-ins for
apt-get, make and curl record their calls.

usage: recipes_check.py PROGRAM
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parents[2]
MARKER = "<!-- vkassay -->"

RELU = """#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"
layout(binding = 0) readonly buffer X {{ float x[]; }};
layout(binding = 1) writeonly buffer Y {{ float y[]; }};
layout(push_constant) uniform Push {{ uint n; }};
void main() {{
    uint i = linear_invocation(), v = i + 1, turns = n < 8192 ? {turns} : 1;
    for (uint k = 0; k < turns; k++) {{ v ^= v << 13; v ^= v >> 17; v ^= v << 5; }}
    if (i < {bound}) y[i] = v == 0 ? 7.0 : {value};
}}
"""


def kernel(name, shader):
    return {
        "name": name, "operator": "relu", "summary": "a test", "shader": shader, "dtypes": ["f32"],
        "bindings": ["x", "y"], "push": ["n"], "tunables": {"WG_X": {"values": [64, 128], "default": 64}},
        "grid": [{"over": ["n"], "by": ["WG_X"]}], "fold": True,
    }


@dataclasses.dataclass
class Kernels:
    """A folder of kernels: the suite times relu.mine, and does not name relu.other. Kernels take their turns only at
    the timed size, because a check of 2^24 elements would otherwise time out on a slow machine."""

    bound: str = "n"
    turns: int = 300
    other: str = "max(x[i], 0.0)"
    names: tuple = ("relu.mine", "relu.other")

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        listed = [kernel(name, f"{name}.comp") for name in self.names]
        (folder / "kernels.json").write_text(json.dumps({"kernels": listed}))
        for name in self.names:
            timed = name != "relu.other"
            text = RELU.format(turns=self.turns if timed else 1, bound=self.bound if timed else "n",
                               value="max(x[i], 0.0)" if timed else self.other)
            (folder / f"{name}.comp").write_text(text)


@dataclasses.dataclass
class Case:
    what: str
    base: Kernels | None
    head: Kernels
    check: bool = True  # the check holds
    ab: bool = True  # the comparison holds
    says: str = ""  # expected in the comment
    comments: tuple = ()  # the request's comments before
    status: int = 200  # of each answer by the service
    asked: tuple = ("GET", "POST")
    token: str = "secret"
    measured: bool = True  # false: a stand-in replaces the program, because only the comment is tested


SOUND = Kernels()
CASES = [
    Case("a sound change", SOUND, Kernels(turns=301), asked=("GET",)),
    Case("a relu that loses its tail", SOUND, Kernels(bound="n - n % 4"), check=False, ab=False, says="wrong"),
    Case("a wrong kernel that the suite does not name", SOUND, Kernels(other="x[i]"), check=False),
    Case("a slower kernel", SOUND, Kernels(turns=2400), ab=False, says="slower"),
    Case("a faster kernel", Kernels(turns=2400), SOUND, says="faster"),
    Case("a comment that is there already", SOUND, SOUND, comments=("hello", MARKER + "\nold", MARKER + "\nolder"),
         asked=("GET", "EDIT 1"), measured=False),
    Case("a comment on the second page", SOUND, SOUND, comments=("hello",) * 100 + (MARKER,),
         asked=("GET", "GET", "EDIT 100"), measured=False),
    Case("nothing changed, and there is no comment", SOUND, SOUND, asked=("GET",), measured=False),
    Case("a fork, whose token only reads", SOUND, SOUND, status=403, asked=("GET",), measured=False),
    Case("a fork, which has no token", SOUND, SOUND, token="", asked=(), measured=False),
    Case("the first kernels of a repository", None, SOUND, asked=("GET",)),
    Case("every kernel is new", SOUND, Kernels(names=("relu.new",)), asked=("GET",)),
]

CURL = """#!/usr/bin/env python3
import json, os, re, sys
words = sys.argv[1:]
method, url, answer = words[words.index("-X") + 1], words[-1], words[words.index("-o") + 1]
body = [json.load(open(word[1:])) for word in words if word.startswith("@")]
comments, status = json.loads(os.environ["COMMENTS"]), os.environ["ANSWER_STATUS"]
page = int((re.search("[?&]page=([0-9]+)", url) or [0, 1])[1])
listed = [{"id": i, "body": text} for i, text in enumerate(comments)][100 * (page - 1):100 * page]
header = open(words[words.index("-K") + 1]).read()
with open(os.environ["ASKED"], "a") as file:
    file.write(json.dumps({"method": method, "url": url, "body": body[0] if body else None, "header": header}) + "\\n")
given = listed if method == "GET" else {"id": 1}
open(answer, "w").write(json.dumps(given if status == "200" else {"message": "no"}))
print(status, end="")
"""
NOTHING = """#!/bin/sh
case $* in
*--junit*) echo '<?xml version="1.0"?>' >check.xml ;;
*) echo "0 wrong" ;;
esac
mkdir -p reports/out/device/run && touch reports/out/device/run/report.html reports/out/device/run/tuned.json
"""
# In percent: less than a factor of two is no difference, because this machine need not be quiet. The slow kernel is
# slower by a factor of eight.
EFFECT = "100"
STUB = '#!/bin/sh\necho "$(basename "$0") $*" >>"$ASKED.commands"\n'


def run(*words, cwd, env=None):
    subprocess.run(words, cwd=cwd, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Repository:
    """A checkout with two commits, one with the old kernels and one with the new, and vkassay beside them."""

    def __init__(self, folder, program, case):
        self.work, self.bin, self.asked = folder / "work", folder / "bin", folder / "asked"
        self.token = case.token
        self.env = {**os.environ, "HOME": str(folder), "ASKED": str(self.asked), "ANSWER_STATUS": str(case.status),
                    "COMMENTS": json.dumps(case.comments), "PATH": f"{self.bin}:{os.environ['PATH']}",
                    "GIT_CONFIG_NOSYSTEM": "1"}
        self.work.mkdir()
        self.bin.mkdir()
        for name, text in {"apt-get": STUB, "make": STUB, "curl": CURL}.items():
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)
        self.git("init", "-q", "-b", "main")
        suite = {"schema_version": 1, "name": "kernel-gate", "summary": "a test", "settings": {"point_seconds": 0.2,
                 "reference_seconds": 0.001}, "entries": [{"kernel": name, "dims": {"n": 4099}, "shapes": "default"}
                                                          for name in case.head.names if name != "relu.other"]}
        (self.work / "kernel-gate.json").write_text(json.dumps(suite))
        if case.base:
            case.base.write(self.work / "kernels")
        self.commit()
        self.base = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=self.work, text=True).strip()
        if (self.work / "kernels").exists():
            run("rm", "-r", "kernels", cwd=self.work)
        case.head.write(self.work / "kernels")
        self.commit()
        beside = self.work / "vkassay"
        (beside / "build").mkdir(parents=True)
        for name in "scripts", "kernels", "suites", "reports":
            (beside / name).symlink_to(HERE / name)
        started = f'#!/bin/sh\nVKASSAY_HOME={HERE} exec {program} "$@"\n'
        (beside / "build" / "vkassay").write_text(started if case.measured else NOTHING)
        (beside / "build" / "vkassay").chmod(0o755)

    def git(self, *words):
        run("git", "-c", "user.name=a", "-c", "user.email=a@b", *words, cwd=self.work, env=self.env)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")

    def bash(self, text, more, options="-eo pipefail"):
        done = subprocess.run(["bash", *options.split(), "-c", text], cwd=self.work, env={**self.env, **more},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        return done.returncode, done.stdout

    def requests(self):
        return [json.loads(line) for line in self.asked.read_text().splitlines()] if self.asked.exists() else []

    def commands(self):
        return pathlib.Path(f"{self.asked}.commands").read_text()


def value_of(text, facts):
    return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda found: str(facts[found[1]]), text)


def is_wanted(condition, facts, failed):
    """Evaluates a condition of the recipe as GitHub would. Unknown conditions are an error."""
    if condition is None:
        return not failed
    known = {
        "success() || steps.check.outcome == 'failure'": not failed or facts.get("steps.check.outcome") == "failure",
        "always() && steps.check.outcome != 'skipped'": facts["steps.check.outcome"] != "skipped",
        "always() && steps.check.outcome == 'success'": facts["steps.check.outcome"] == "success",
        "steps.built.outputs.cache-hit != 'true'": False,
        "env.VKASSAY_VERSION != ''": False,
        "always()": True,
    }
    return known[condition]


def run_github(recipe, repository):
    """Returns whether the check, the comparison and the job succeeded, and the output."""
    (job,) = recipe["jobs"].values()
    common = {name: str(value) for name, value in recipe["env"].items()}
    common.update(EFFECT=EFFECT, SUITE="kernel-gate.json", GITHUB_STEP_SUMMARY=str(repository.work / "summary.md"),
                  GITHUB_REPOSITORY="owner/mine")
    facts = {"github.event.number": 7, "github.token": repository.token}
    facts.update({f"steps.{step}.outcome": "skipped" for step in ("check", "ab")})
    failed, said = False, ""
    assert job["defaults"]["run"]["shell"] == "bash"
    for step in job["steps"]:
        if not is_wanted(step.get("if"), facts, failed) or "run" not in step:
            continue
        more = {name: value_of(value, facts) for name, value in step.get("env", {}).items()}
        status, output = repository.bash(step["run"], {**common, **more})
        said += f"--- {step['name']} ({status})\n{output}"
        failed = failed or status != 0
        facts[f"steps.{step.get('id')}.outcome"] = "failure" if status else "success"
    return facts["steps.check.outcome"] == "success", facts["steps.ab.outcome"] == "success", not failed, said


def run_gitlab(recipe, repository):
    (job,) = (part for part in recipe.values() if "script" in part)
    more = {name: str(value) for name, value in job["variables"].items()}
    more.update(EFFECT=EFFECT, SUITE="kernel-gate.json", CI_API_V4_URL="https://gitlab.example/api/v4", CI_PROJECT_ID="3", CI_MERGE_REQUEST_IID="7",
                CI_MERGE_REQUEST_DIFF_BASE_SHA=repository.base, GITLAB_TOKEN=repository.token)
    lines = job["before_script"] + job["script"] + ['echo "statuses $check $ab"']
    # The trap prints the statuses even if the job fails.
    status, said = repository.bash("trap 'echo \"statuses ${check:-} ${ab:-}\"' EXIT\n" + "\n".join(lines[:-1]), more)
    check, ab = re.search(r"^statuses (\d+) (\d+)$", said, re.M).groups()
    return check == "0", ab in ("0", "3"), status == 0, said


def check_requests(case, repository, edit, listed, one):
    """Checks that there is one comment: our first is edited, or a new one is made."""
    requests = repository.requests()
    asked = []
    for request in requests:
        parent, last = request["url"].rsplit("/", 1)
        edits = request["method"] == edit
        asked.append("EDIT " + last if edits else request["method"])
        assert "secret" in request["header"]
        assert (parent == one) if edits else (request["url"].split("?")[0] == listed), request
    assert tuple(asked) == case.asked, asked
    if case.status == 200 and case.asked and case.asked[-1] != "GET":
        body = requests[-1]["body"]["body"]
        assert body.startswith(MARKER + "\n") and "the check ended with " in body and case.says in body, body


def check_pins(github, gitlab):
    """Checks the version of vkassay: the default branch or an existing tag, also in the cache's key."""
    version = github["env"]["VKASSAY_VERSION"]
    tags = subprocess.run(["git", "-C", str(HERE), "tag", "--list"], capture_output=True, text=True, check=False).stdout
    assert not version or version in tags.split(), f"there is no tag {version}"
    (job,) = (part for part in gitlab.values() if "script" in part)
    (steps,) = (job["steps"] for job in github["jobs"].values())
    assert job["variables"]["VKASSAY_VERSION"] == version
    (checkout,) = (step for step in steps if step.get("with", {}).get("repository"))
    (cache,) = (step for step in steps if "cache" in step.get("uses", ""))
    assert checkout["with"]["ref"] == "${{ env.VKASSAY_VERSION }}" and "env.VKASSAY_VERSION" in cache["with"]["key"]
    assert cache["if"] == "env.VKASSAY_VERSION != ''", "a build of the default branch is never found again"
    assert "VKASSAY_VERSION" in job["cache"]["key"]
    for text in json.dumps(github), json.dumps(gitlab):  # a user's settings must be used
        assert all(f"${name}" in text for name in ("KERNELS", "SUITE", "EFFECT", "TUNE_SECONDS"))
    assert any('--branch "$VKASSAY_VERSION"' in line for line in job["before_script"])
    (upload,) = (step for step in steps if "upload-artifact" in step.get("uses", ""))
    assert {"check.xml", "reports/out"} <= set(upload["with"]["path"].split())
    assert job["artifacts"]["reports"]["junit"] == "check.xml" and "reports/out" in job["artifacts"]["paths"]


def check_case(name, recipe, runner, case, program):
    with tempfile.TemporaryDirectory(prefix="vkassay-recipe-") as folder:
        repository = Repository(pathlib.Path(folder), program, case)
        check, ab, held, said = runner(recipe, repository)
        with contextlib.suppress(FileNotFoundError):
            said += (repository.work / "comment.md").read_text()
        wanted = case.check, case.ab, case.check and case.ab
        assert (check, ab, held) == wanted, f"{name}: {case.what}: expected {wanted}, found {(check, ab, held)}\n{said}"
        if name == "github":
            api = "https://api.github.com/repos/owner/mine/issues"
            check_requests(case, repository, "PATCH", f"{api}/7/comments", f"{api}/comments")
            assert (repository.work / "summary.md").read_text().startswith("Kernels -- ")
        else:
            notes = "https://gitlab.example/api/v4/projects/3/merge_requests/7/notes"
            check_requests(case, repository, "PUT", notes, notes)
        assert "apt-get update" in repository.commands() and "make -j" in repository.commands()
        assert (repository.work / "check.xml").read_text().startswith("<?xml")
        left = repository.work / "reports" / "out"
        assert list(left.glob("*/*/report.html"))
        assert bool(list(left.glob("*/*/tuned.json"))) == case.check, said
    print(f"{name}: {case.what}: as expected")


def main(program):
    github = yaml.safe_load((HERE / "scripts" / "github.yml").read_text())
    gitlab = yaml.safe_load((HERE / "scripts" / "gitlab.yml").read_text())
    check_pins(github, gitlab)
    for case in CASES:
        check_case("github", github, run_github, case, os.path.abspath(program))
        check_case("gitlab", gitlab, run_gitlab, case, os.path.abspath(program))


if __name__ == "__main__":
    main(*sys.argv[1:])
