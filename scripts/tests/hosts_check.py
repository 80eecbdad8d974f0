#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/slurm.sh without Slurm: by hand, as ranks of launchers and as jobs of a CI matrix. Runs are ended by
signals and resumed. Launchers include a real mpirun of Open MPI and of MPICH, if they are installed.

usage: hosts_check.py PROGRAM [TEST...]
"""
import atexit
import glob
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import needs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import packed  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = str(ROOT / "scripts/slurm.sh")

RELU = """#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint n; };
void main() {
    uint i = linear_invocation();
    if (i < n) y[i] = max(x[i], %s);
}
"""


def leave_charts_out():
    """Replaces gnuplot, because charts would take longer than everything else."""
    folder = tempfile.mkdtemp(prefix="vkassay-hosts-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.symlink("/bin/true", f"{folder}/gnuplot")
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"


def wait_for(what, truth, seconds=150):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = truth()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError(f"waited {seconds} s for {what}")


def without_launchers(**more):
    """Returns the environment without the variables of launchers."""
    prefixes = ("SLURM_", "OMPI_", "PMI", "MPI_", "MV2_", "CUDA_")
    return {**{k: v for k, v in os.environ.items() if not k.startswith(prefixes)}, **more}


class Shards(unittest.TestCase):
    """Checks of the folder of a run over several shards, self.out."""

    folder = None  # the parent of such folders; None: the folder for temporary files

    def setUp(self):
        self.began = time.monotonic()
        self.out = tempfile.mkdtemp(prefix="vkassay-hosts-", dir=self.folder)
        self.make_suite(8)

    def tearDown(self):
        shutil.rmtree(self.out, ignore_errors=True)
        print(f"{time.monotonic() - self.began:.0f} s", end=" ", file=sys.stderr)

    def make_suite(self, points, seconds=0.5):
        """Writes a suite of `points` points of `seconds` each."""
        self.points = points
        suite = os.path.join(self.out, "suite.json")
        with open(suite, "w") as file:
            json.dump({"schema_version": 1, "name": "slow", "summary": "some time a point",
                       "settings": {"point_seconds": seconds, "precision": 1e-9, "most_samples": 1000000,
                                    "reference_seconds": 0.01},
                       "entries": [{"kernel": "relu.scalar", "dtypes": ["f32"], "shapes": "default",
                                    "dims": {"n": list(range(1025, 1025 + points))}}]}, file)
        self.bench = ["--", "bench", "--suite", suite, "--quiet", "--seed", "3"]
        self.check = ["--", "check", "--suite", suite, "--quiet", "--seed", "3"]

    def make_kernels(self, least):
        """Writes a folder of one kernel; it is right if `least` is 0."""
        kernels = pathlib.Path(self.out, "kernels")
        kernels.mkdir()
        (kernels / "relu.comp").write_text(RELU % least)
        (kernels / "kernels.json").write_text(json.dumps({"kernels": [{
            "name": "relu.mine", "operator": "relu", "summary": "a test", "shader": "relu.comp", "dtypes": ["f32"],
            "bindings": ["x", "y"], "push": ["n"], "tunables": {"WG_X": {"values": [64], "default": 64}},
            "grid": [{"over": ["n"], "by": ["WG_X"]}], "fold": True}]}))

    def run_script(self, *words, environment=None):
        return subprocess.run([SCRIPT, *words], env=environment or without_launchers(), capture_output=True, text=True)

    def journals(self, shard):
        return glob.glob(f"{self.out}/shard-{shard}/*/*/result.jsonl")

    def records(self, shard):
        """Returns the records. The first line describes the run, and the last one is its end."""
        return [line for line in map(json.loads, self.journal_lines(shard)) if "name" in line]

    def lines(self, shard):
        return len(self.journal_lines(shard))

    def journal_lines(self, shard):
        return [line for path in self.journals(shard) for line in pathlib.Path(path).read_text().splitlines()]

    def result(self, path=None):
        return packed.result(path or f"{self.out}/result.jsonl")

    def assert_merges(self):
        done = self.run_script("merge", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_whole()

    def assert_whole(self):
        """Checks that every point is there once and right: ending a task must lose none."""
        result = self.result()
        names = [r["name"] for r in result["records"]]
        self.assertEqual(len(names), self.points)
        self.assertEqual(len(set(names)), self.points)
        self.assertTrue(result["run"]["complete"])
        self.assertEqual({r["status"] for r in result["records"]}, {"pass"})

    def processes_of(self, word):
        """Returns the program's processes with this word on their command lines, and their children."""
        found, parents = set(), {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace")
                with open(f"/proc/{pid}/stat") as file:
                    parents[int(pid)] = int(file.read().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if word in words and "slurm.sh" not in words and "\0bench\0" in words:
                found.add(int(pid))
        return found | {pid for pid, parent in parents.items() if parent in found}


class ByHand(Shards):
    def begin(self, *words):
        return subprocess.Popen([SCRIPT, *words], env=without_launchers(), stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def end_early(self, end):
        """Starts a shard's run and calls `end` after its second point or later. Returns its status and output."""
        process = self.begin("shard", "1/1", "--out", self.out, *self.bench)
        wait_for("two points", lambda: self.lines(1) >= 3)
        end(process)
        said = process.communicate(timeout=120)[0]
        return process.returncode, said

    def assert_ended_between_points(self, returncode, said):
        self.assertEqual(returncode, 4, said)
        self.assertIn("interrupted", said)
        self.assertEqual({r["status"] for r in self.records(1)}, {"pass"})
        self.assertLess(len(self.records(1)), self.points)
        result = self.result(glob.glob(f"{self.out}/shard-1/*/*/result.jsonl")[0])
        self.assertEqual(result["run"]["why"], "interrupted")

    def assert_goes_on(self):
        before = self.lines(1)
        again = self.run_script("shard", "1/1", "--out", self.out, *self.bench)
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertIn("goes on with", again.stdout)
        self.assertEqual(len(self.journals(1)), 1)
        self.assertGreater(self.lines(1), before)
        self.assert_merges()

    def test_a_time_limit_that_is_near_ends_the_run_at_a_point(self):
        self.assert_ended_between_points(*self.end_early(lambda process: process.send_signal(signal.SIGUSR1)))
        self.assert_goes_on()

    def test_a_job_that_is_ended_with_all_its_processes_loses_no_point(self):
        def end(process):
            # Batch systems signal all processes. The workers are first here.
            for pid in sorted(self.processes_of(f"{self.out}/shard-1"), reverse=True):
                os.kill(pid, signal.SIGTERM)
            process.send_signal(signal.SIGTERM)
        self.assert_ended_between_points(*self.end_early(end))
        self.assert_goes_on()

    def test_a_host_that_fails_loses_no_point(self):
        def end(process):
            for pid in [process.pid, *self.processes_of(f"{self.out}/shard-1")]:
                os.kill(pid, signal.SIGKILL)
        self.end_early(end)
        missed = self.run_script("merge", "--out", self.out)
        self.assertEqual(missed.returncode, 3, missed.stdout + missed.stderr)
        self.assertIn("no result of shard 1 of 1", missed.stdout)
        self.assert_goes_on()

    def test_a_shard_that_never_comes_is_missed(self):
        for shard in (1, 3):
            done = self.run_script("shard", f"{shard}/3", "--out", self.out, *self.check)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            missed = self.run_script("merge", "--out", self.out)
            self.assertEqual(missed.returncode, 4, missed.stdout + missed.stderr)
            self.assertIn("no result of shard 2 " if shard == 3 else "no result of shard 2 3 ", missed.stdout)
        self.assertRegex(missed.stdout, r"without shard 2 of 3, \d of 8 points")
        self.assertFalse(self.result()["run"]["complete"])
        self.assertEqual(self.run_script("shard", "2/3", "--out", self.out, *self.check).returncode, 0)
        self.assert_merges()

    def test_a_shard_that_was_wrong_is_so_again(self):
        self.make_kernels("1.0")
        words = ["shard", "1/1", "--out", self.out, "--", "check", "--only", f"{self.out}/kernels", "--quiet"]
        for _ in range(2):
            self.assertEqual(self.run_script(*words).returncode, 1)
        self.assertEqual(len(self.journals(1)), 1)

    def test_tasks_are_asked_for_so_that_they_can_go_on(self):
        stand_in = os.path.join(self.out, "sbatch")
        with open(stand_in, "w") as file:
            file.write(f'#!/bin/sh\necho "$@" >>{self.out}/asked\necho 17\n')
        os.chmod(stand_in, 0o755)
        done = self.run_script("submit", "--out", self.out, "--shards", "3", "--sbatch", "--time=9", *self.check,
                               environment=without_launchers(PATH=f"{self.out}:{os.environ['PATH']}"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(f"{self.out}/asked") as file:
            tasks, merge = file.read().splitlines()
        for word in ("--requeue", "--open-mode=append", "--signal=B:USR1@90", "--array=1-3", " --time=9 --wrap "):
            self.assertIn(word, tasks)
        self.assertIn("--dependency=afterany:17", merge)

    def test_mistakes_are_usage(self):
        for words, said in ((("submit", "--out", self.out, "--", "check"), "--shards N"),
                            (("shard", "4", "--out", "x"), "I/N"),
                            (("rank", "--out", self.out, "--", "check"), "no rank"),
                            (("what", "--out", self.out, "--", "x"), "expected submit"),
                            (("merge",), "expected --out"),
                            (("submit", "--out", self.out, "--shards", "2"), "expected -- and")):
            done = self.run_script(*words)
            self.assertEqual(done.returncode, 64)
            self.assertIn(said, done.stderr)


class Launchers(Shards):
    def asked(self, environment, words=("check",)):
        """Returns the arguments of the program, started by a rank in this environment. A stand-in records them."""
        stand_in = os.path.join(self.out, "stand-in")
        with open(stand_in, "w") as file:
            file.write(f'#!/bin/sh\necho "$@" >{self.out}/asked\n')
        os.chmod(stand_in, 0o755)
        done = self.run_script("rank", "--out", self.out, "--", *words,
                               environment=without_launchers(VKASSAY=stand_in, **environment))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(f"{self.out}/asked") as file:
            return file.read()

    def test_each_launcher_s_rank_is_the_shard(self):
        in_job = {"SLURM_PROCID": "0", "SLURM_NTASKS": "1"}  # of the script calling mpirun
        for rank, size, more in (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", in_job),
                                 ("PMI_RANK", "PMI_SIZE", in_job),
                                 ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", in_job),
                                 ("PMIX_RANK", "SLURM_NTASKS", {"SLURM_PROCID": "2"}),
                                 ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", {"SLURM_NTASKS": "9"}),
                                 ("SLURM_PROCID", "SLURM_NTASKS", {})):
            asked = self.asked({**more, rank: "2", size: "4"})
            self.assertIn(f"check --out {self.out}/shard-3 --shard 3/4\n", asked, rank)
            with open(f"{self.out}/parts") as file:
                self.assertEqual(file.read(), "shard 4\n")

    def test_ranks_of_one_host_take_its_gpus_in_turn(self):
        tools = os.path.join(self.out, "tools")
        os.mkdir(tools)
        with open(f"{tools}/nvidia-smi", "w") as file:
            file.write('#!/bin/bash\nall=(00000000:0A:00.0 00000000:0B:00.0 00000000:0C:00.0)\n'
                       'ids=0,1,2; [ "$3" = -i ] && ids=$4\nfor i in ${ids//,/ }; do echo "${all[$i]}"; done\n')
        os.chmod(f"{tools}/nvidia-smi", 0o755)
        path = {"PATH": f"{tools}:{os.environ['PATH']}", "OMPI_COMM_WORLD_RANK": "5", "OMPI_COMM_WORLD_SIZE": "6"}
        for given, device in (({"OMPI_COMM_WORLD_LOCAL_RANK": "1"}, "0000:0b:00.0"),
                              ({"MPI_LOCALRANKID": "3"}, "0000:0a:00.0"),
                              ({"SLURM_LOCALID": "1", "CUDA_VISIBLE_DEVICES": "0,2"}, "0000:0c:00.0"),
                              ({"SLURM_LOCALID": "1", "CUDA_VISIBLE_DEVICES": "2"}, "0000:0c:00.0")):
            self.assertIn(f" --device {device}\n", self.asked({**path, **given}), given)
        self.assertNotIn("--device", self.asked(path))
        own = self.asked({**path, "SLURM_LOCALID": "1"}, ("check", "--device", "llvmpipe"))
        self.assertIn(" --device llvmpipe\n", own)
        self.assertNotIn("0000:", own)

    def ranks_of_a_real(self, *names):
        launcher = next(filter(None, map(shutil.which, names)), None)
        if not launcher:
            needs.not_run(needs.missing(names[0]))
            self.skipTest("missing")
        # Open MPI requires these for root and for more ranks than cores. Other launchers ignore them.
        environment = without_launchers(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                        OMPI_MCA_rmaps_base_oversubscribe="1", PRTE_MCA_rmaps_default_mapping_policy=
                                        ":oversubscribe")
        done = subprocess.run([launcher, "-n", "3", SCRIPT, "rank", "--out", self.out, *self.check], env=environment,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_merges()

    def test_ranks_of_a_real_mpirun_are_shards(self):
        self.ranks_of_a_real("mpirun.openmpi", "mpirun")

    def test_ranks_of_mpich_are_shards(self):
        self.ranks_of_a_real("mpirun.mpich")

    def test_a_rank_that_is_wrong_ends_no_other(self):
        for status, ends in ((1, 0), (4, 0), (69, 69)):
            stand_in = os.path.join(self.out, "stand-in")
            with open(stand_in, "w") as file:
                file.write(f"#!/bin/sh\nexit {status}\n")
            os.chmod(stand_in, 0o755)
            done = self.run_script("rank", "--out", self.out, *self.check, environment=without_launchers(
                VKASSAY=stand_in, PMI_RANK="0", PMI_SIZE="2"))
            self.assertEqual(done.returncode, ends)
            if not ends:
                self.assertIn(f"shard 1 of 2 ended with {status}", done.stdout)


class Matrix(Shards):
    """Runs the lines of the recipes in scripts/README.md as the services would."""

    def recipe(self, service):
        import yaml
        text = (ROOT / "scripts/README.md").read_text()
        found = re.search(rf"```yaml\n# {service}\n(.*?)```", text, re.DOTALL)
        self.assertTrue(found, service)
        return yaml.safe_load(found.group(1))

    def job(self, name, line, artifacts, **variables):
        """Runs a job in a folder of its own, starting with these artifacts. Returns its folder `run`."""
        folder = pathlib.Path(self.out, name)
        (folder / "run").mkdir(parents=True)
        os.symlink(ROOT, folder / "vkassay")
        shutil.copytree(f"{self.out}/kernels", folder / "kernels")
        for artifact in artifacts:
            shutil.copytree(artifact, folder / "run", dirs_exist_ok=True)
        self.assertNotIn("${{", line)
        self.done = subprocess.run(["bash", "-e", "-c", line], cwd=folder, env=without_launchers(**variables),
                                   capture_output=True, text=True)
        return folder / "run"

    def assert_matrix_merges(self, shards, merge):
        ran = []
        for number, (line, variables) in enumerate(shards, 1):
            ran.append(self.job(f"job{number}", line, [], **variables))
            self.assertEqual(self.done.returncode, 0, self.done.stdout + self.done.stderr)
        whole = self.job("merge", merge, ran)
        self.assertEqual(self.done.returncode, 0, self.done.stdout + self.done.stderr)
        self.assertTrue(self.result(whole / "result.jsonl")["run"]["complete"])
        self.job("merge-of-some", merge, ran[:1] + ran[2:])
        self.assertEqual(self.done.returncode, 4, self.done.stdout + self.done.stderr)
        self.assertIn(f"no result of shard 2 of {len(ran)}", self.done.stdout)

    def test_the_jobs_of_a_github_matrix_are_shards(self):
        self.make_kernels("0.0")
        jobs = self.recipe("GitHub")["jobs"]
        numbers = jobs["check"]["strategy"]["matrix"]["shard"]
        self.assertFalse(jobs["check"]["strategy"]["fail-fast"])
        line = next(step["run"] for step in jobs["check"]["steps"] if "run" in step)
        line = line.replace("${{ strategy.job-total }}", str(len(numbers)))
        self.assert_matrix_merges([(line.replace("${{ matrix.shard }}", str(number)), {}) for number in numbers],
                                  next(step["run"] for step in jobs["merge"]["steps"] if "run" in step))

    def test_the_jobs_of_a_gitlab_matrix_are_shards(self):
        self.make_kernels("0.0")
        jobs = self.recipe("GitLab")
        count = jobs["check"]["parallel"]
        variables = [{"CI_NODE_INDEX": str(i), "CI_NODE_TOTAL": str(count)} for i in range(1, count + 1)]
        self.assert_matrix_merges([("\n".join(jobs["check"]["script"]), each) for each in variables],
                                  "\n".join(jobs["merge"]["script"]))


def run_tests(what, program, words):
    """Runs the tests of __main__ named by the words, or all. Returns true if any failed."""
    os.environ["VKASSAY"] = os.path.realpath(program)
    leave_charts_out()
    result = unittest.main(argv=[what, *words], verbosity=2, exit=False).result
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{what}: {max(0, result.testsRun - failed - skipped)} passed, {failed} failed, {skipped} not run")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(run_tests("shards of a run", sys.argv[1], sys.argv[2:]))
