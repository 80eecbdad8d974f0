#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/slurm.sh on a real Slurm of one node, which this starts and ends; then by ranks and as a CI matrix would.

usage: slurm_check.py      (make test-slurm; root, with slurm-wlm and munge installed)
"""
import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "scripts", "slurm.sh")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(what, truth, seconds=90):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = truth()
        if found:
            return found
        time.sleep(0.3)
    raise AssertionError(f"waited {seconds} s for {what}")


class Cluster:
    """munged, slurmctld and slurmd in a folder of their own."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="vkassay-slurm-")
        os.chmod(self.folder, 0o755)
        self.host = socket.gethostname().split(".")[0]
        self.processes = []
        control, node = free_ports(2)
        key = os.path.join(self.folder, "munge.key")
        with open(key, "wb") as file:
            file.write(os.urandom(1024))
        os.chmod(key, 0o400)
        self.munge = os.path.join(self.folder, "munge.socket")
        self.config = os.path.join(self.folder, "slurm.conf")
        with open(self.config, "w") as file:
            file.write(f"""ClusterName=vkassay
SlurmctldHost={self.host}(127.0.0.1)
SlurmUser=root
SlurmctldPort={control}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={self.munge},cred_expire=2
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,bf_interval=2
ReturnToService=2
JobRequeue=1
KillWait=5
JobAcctGatherType=jobacct_gather/none
NodeName={self.host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes={self.host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
""")
        os.makedirs(os.path.join(self.folder, "state"))
        os.makedirs(os.path.join(self.folder, "spool"))
        try:
            self.start_all(key)
        except AssertionError:
            self.end()
            raise

    def start_all(self, key):
        self.start(["munged", "--foreground", "--force", "--key-file", key, "--socket", self.munge,
                    "--pid-file", os.path.join(self.folder, "munge.pid"),
                    "--log-file", os.path.join(self.folder, "munge.log"),
                    "--seed-file", os.path.join(self.folder, "munge.seed")])
        wait_for("munged", lambda: os.path.exists(self.munge), 20)
        self.start(["slurmctld", "-D", "-f", self.config])
        self.start(["slurmd", "-D", "-f", self.config])
        wait_for("the node", lambda: "idle" in self.call("sinfo", "-h", "-o", "%T", check=False), 50)

    def environment(self):
        return {**os.environ, "SLURM_CONF": self.config, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}

    def start(self, command):
        log = open(os.path.join(self.folder, command[0] + ".out"), "w")
        self.processes.append(subprocess.Popen(command, env=self.environment(), stdout=log, stderr=log,
                                               start_new_session=True))

    def call(self, *command, check=True):
        done = subprocess.run(command, env=self.environment(), capture_output=True, text=True)
        if check and done.returncode:
            raise AssertionError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def end(self):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        started = time.monotonic()
        try:
            cls.cluster = Cluster()
        except AssertionError as error:
            if os.environ.get("VKASSAY_SLURM") == "optional":
                raise unittest.SkipTest(f"the cluster did not start within a minute: {error}") from None
            raise
        print(f"the cluster started within {time.monotonic() - started:.0f} s", flush=True)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.end()

    def setUp(self):
        self.out = tempfile.mkdtemp(dir=self.cluster.folder)
        self.suite = os.path.join(self.out, "suite.json")
        with open(self.suite, "w") as file:
            json.dump({"schema_version": 1, "name": "slow", "summary": "half a second a point",
                       "settings": {"point_seconds": 0.5, "precision": 1e-9, "most_samples": 1000000,
                                    "reference_seconds": 0.01},
                       "entries": [{"kernel": "relu.scalar", "dtypes": ["f32"], "dims": {"n": list(range(1025, 1037))},
                                    "shapes": "default"}]}, file)
        self.bench = ["--", "bench", "--suite", self.suite, "--quiet", "--seed", "3"]

    def run_script(self, *words, environment=None):
        return subprocess.run([SCRIPT, *words], env=environment or self.cluster.environment(), capture_output=True,
                              text=True)

    def submit(self, shards):
        done = self.run_script("submit", "--out", self.out, "--shards", str(shards), *self.bench)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        words = done.stdout.replace(":", " ").replace(";", " ").split()
        return words[words.index("job") + 1], words[words.index("merges") - 1]

    def state(self, job):
        return self.cluster.call("squeue", "-h", "-r", "-j", job, "-o", "%T", check=False).split()

    def lines(self, shard):
        return sum(1 for path in glob.glob(f"{self.out}/shard-{shard}/*/*/journal.jsonl") for _ in open(path))

    def merged(self, merge):
        wait_for("the merge", lambda: not self.state(merge), 150)
        with open(f"{self.out}/merge.log") as file:
            return file.read()

    def result(self):
        with open(f"{self.out}/result.json") as file:
            return json.load(file)

    def assert_whole(self):
        result = self.result()
        names = [r["name"] for r in result["records"]]
        self.assertEqual(len(names), 12)
        self.assertEqual(len(set(names)), 12)
        self.assertTrue(result["run"]["complete"])
        self.assertTrue(all(r["status"] == "pass" for r in result["records"]))

    def log(self, shard):
        with open(f"{self.out}/shard-{shard}.log") as file:
            return file.read()

    def test_a_task_that_is_killed_and_requeued_goes_on(self):
        job, merge = self.submit(2)
        wait_for("some records of shard 2", lambda: self.lines(2) >= 3)
        before = self.lines(2)
        self.cluster.call("scontrol", "requeue", f"{job}_2")
        self.merged(merge)
        self.assert_whole()
        self.assertIn("goes on with", self.log(2))
        self.assertNotIn("goes on with", self.log(1))
        self.assertEqual(len(glob.glob(f"{self.out}/shard-2/*/*/journal.jsonl")), 1)
        self.assertGreaterEqual(self.lines(2), before)

    def test_a_task_that_dies_without_a_word_goes_on(self):
        job, merge = self.submit(2)
        wait_for("some records of shard 1", lambda: self.lines(1) >= 3)
        # As when its node fails: nothing can be said any more.
        pids = [p for p in os.listdir("/proc") if p.isdigit() and self.is_of(p, f"{self.out}/shard-1")]
        self.assertTrue(pids)
        for pid in pids:
            os.kill(int(pid), signal.SIGKILL)
        wait_for("the end of shard 1", lambda: len(self.state(job)) < 2 or "RUNNING" not in self.state(f"{job}_1"), 60)
        self.merged(merge)
        # What there is of it has no result yet; the task by hand goes on.
        again = self.run_script("shard", "1/2", "--out", self.out, *self.bench)
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertIn("goes on with", again.stdout)
        self.assertEqual(self.run_script("merge", "--out", self.out).returncode, 0)
        self.assert_whole()

    @staticmethod
    def is_of(pid, word):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                line = file.read()
            return word.encode() in line and b"bench" in line and b"slurm.sh" not in line
        except OSError:
            return False

    def test_a_node_that_is_drained_costs_time_alone(self):
        self.cluster.call("scontrol", "update", f"nodename={self.cluster.host}", "state=drain", "reason=test")
        try:
            job, merge = self.submit(2)
            time.sleep(3)
            self.assertEqual(set(self.state(job)), {"PENDING"})
        finally:
            self.cluster.call("scontrol", "update", f"nodename={self.cluster.host}", "state=resume")
        self.merged(merge)
        self.assert_whole()

    def test_a_shard_that_never_comes_is_missed(self):
        job, merge = self.submit(3)
        self.cluster.call("scancel", f"{job}_3")
        said = self.merged(merge)
        self.assertIn("no result of shard 3 of 3", said)
        self.assertIn("without shard 3 of 3, 4 of 12 points", said)
        self.assertFalse(self.result()["run"]["complete"])
        # And comes after all.
        self.assertEqual(self.run_script("shard", "3/3", "--out", self.out, *self.bench).returncode, 0)
        self.assertEqual(self.run_script("merge", "--out", self.out).returncode, 0)
        self.assert_whole()

    def test_ranks_of_a_launcher_are_shards(self):
        self.cluster.call("srun", "-n", "2", "--overlap", "--oversubscribe", SCRIPT, "rank", "--out", self.out,
                          *self.bench)
        self.assertEqual(self.run_script("merge", "--out", self.out).returncode, 0)
        self.assert_whole()

    def test_ranks_are_told_as_open_mpi_tells_them(self):
        words = ["rank", "--out", self.out, "--", "check", "--suite", self.suite, "--quiet", "--seed", "3"]
        for rank in range(2):
            environment = {**os.environ, "OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": "2"}
            self.assertEqual(self.run_script(*words, environment=environment).returncode, 0)
        self.assertEqual(self.run_script("merge", "--out", self.out).returncode, 0)
        self.assert_whole()

    def test_slips_are_usage(self):
        for words, said in ((("submit", "--out", self.out, "--", "check"), "--shards N"),
                            (("shard", "4", "--out", "x"), "I/N"),
                            (("rank", "--out", self.out, "--", "check"), "no rank"),
                            (("what", "--out", self.out, "--", "x"), "expected submit"),
                            (("merge",), "expected --out"),
                            (("submit", "--out", self.out, "--shards", "2"), "expected -- and")):
            environment = {k: v for k, v in os.environ.items() if not k.startswith("SLURM_")}
            done = self.run_script(*words, environment=environment)
            self.assertEqual(done.returncode, 64)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    if os.geteuid() or not shutil.which("slurmctld", path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
        sys.exit("slurm_check.py: expected root, and slurm-wlm and munge installed (scripts/install.sh slurm)")
    result = unittest.main(verbosity=2, exit=False).result
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    passed = max(0, result.testsRun - failed - skipped)
    print(f"a run over many hosts: {passed} passed, {failed} failed, {skipped} not run")
    sys.exit(bool(failed))
