#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/slurm.sh on a real Slurm of one node, started and ended by this test.

usage: slurm_check.py PROGRAM [TEST...]      (root, with slurm-wlm and munge installed)

Exit status 77: Slurm is not installed, or did not start within a minute.
"""
import glob
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import needs
from hosts_check import SCRIPT, Shards, run_tests, wait_for


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    """A cluster of munged, slurmctld and slurmd, with their files in one folder."""

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
            # Requeued tasks wait until their credentials expire: by default two minutes. Slurm ignores less than five
            # seconds.
            file.write(f"""ClusterName=vkassay
SlurmctldHost={self.host}(127.0.0.1)
SlurmUser=root
SlurmctldPort={control}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={self.munge},cred_expire=6
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
        wait_for("the node", lambda: "idle" in self.call("sinfo", "-h", "-o", "%T", check=False), 35)

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


class Slurm(Shards):
    cluster = None

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.cluster.folder

    def run_script(self, *words, environment=None):
        return super().run_script(*words, environment=environment or self.cluster.environment())

    def submit(self, shards, *options):
        done = self.run_script("submit", "--out", self.out, "--shards", str(shards), *options, *self.bench)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        words = done.stdout.replace(":", " ").replace(";", " ").split()
        return words[words.index("job") + 1], words[words.index("merges") - 1]

    def state(self, job):
        return self.cluster.call("squeue", "-h", "-r", "-j", job, "-o", "%T", check=False).split()

    def set_node(self, *words, check=True):
        self.cluster.call("scontrol", "update", f"nodename={self.cluster.host}", *words, check=check)

    def merged(self, merge):
        wait_for("the merge", lambda: not self.state(merge))
        with open(f"{self.out}/merge.log") as file:
            return file.read()

    def log(self, shard):
        with open(f"{self.out}/shard-{shard}.log") as file:
            return file.read()

    def assert_went_on(self, shard, before):
        self.assertIn("goes on with", self.log(shard))
        self.assertEqual(len(self.journals(shard)), 1)
        self.assertGreaterEqual(self.lines(shard), before)

    def test_tasks_that_are_requeued_or_near_their_time_limit_go_on(self):
        self.make_suite(8, 1)
        job, merge = self.submit(2)
        wait_for("some records of both", lambda: self.lines(1) >= 2 and self.lines(2) >= 2)
        before = self.lines(1), self.lines(2)
        # The signal requested by --signal. Slurm itself checks time limits only twice a minute.
        self.cluster.call("scancel", "--batch", "--signal=USR1", f"{job}_1")
        self.cluster.call("scontrol", "requeue", f"{job}_2")
        said = self.merged(merge)
        self.assertTrue(os.path.exists(f"{self.out}/result.jsonl"), said + self.log(1) + self.log(2))
        self.assert_whole()
        self.assertIn("the time limit is near: requeued", self.log(1))
        self.assertNotIn("the time limit is near", self.log(2))
        self.assert_went_on(1, before[0])
        self.assert_went_on(2, before[1])

    def test_tasks_that_die_or_never_come_are_missed(self):
        self.make_suite(8, 2)
        job, merge = self.submit(4)
        self.cluster.call("scancel", f"{job}_4")
        wait_for("a record of shard 1", lambda: self.lines(1) >= 2)
        # As if its node had failed, without a last message.
        processes = self.processes_of(f"{self.out}/shard-1")
        self.assertTrue(processes)
        for pid in processes:
            os.kill(pid, signal.SIGKILL)
        said = self.merged(merge)
        self.assertIn("no result of shard 1 4 of 4", said)
        self.assertRegex(said, r"without shard 1, 4 of 4, 4 of 8 points")
        self.assertFalse(self.result()["run"]["complete"])
        # The missing shards are then run by hand.
        for shard in (1, 4):
            again = self.run_script("shard", f"{shard}/4", "--out", self.out, *self.bench)
            self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
            self.assertEqual("goes on with" in again.stdout, shard == 1)
        self.assert_merges()

    def test_a_node_that_is_drained_or_fails_costs_time_alone(self):
        self.make_suite(8, 1)
        self.set_node("state=drain", "reason=test")
        try:
            job, merge = self.submit(2)
            time.sleep(2)
            self.assertEqual(set(self.state(job)), {"PENDING"})
        finally:
            self.set_node("state=resume")
        wait_for("some records of both", lambda: self.lines(1) >= 2 and self.lines(2) >= 2)
        before = self.lines(1), self.lines(2)
        self.set_node("state=down", "reason=test")
        try:
            wait_for("the tasks to be queued again", lambda: set(self.state(job)) == {"PENDING"})
        finally:
            self.set_node("state=resume", check=False)  # if it is not back by itself
        self.merged(merge)
        self.assert_whole()
        self.assert_went_on(1, before[0])
        self.assert_went_on(2, before[1])

    def test_ranks_of_srun_are_shards(self):
        self.cluster.call("srun", "-n", "2", "--overlap", "--oversubscribe", SCRIPT, "rank", "--out", self.out,
                          *self.check)
        self.assert_merges()


def run():
    if os.geteuid():
        needs.end("missing: root, who may start Slurm")
    why = needs.missing("slurmctld", "slurmd", "munged", "sbatch")
    if why:
        needs.end(why)
    started = time.monotonic()
    try:
        Slurm.cluster = Cluster()
    except AssertionError as error:
        needs.end(f"missing: a Slurm that starts within a minute: {' '.join(str(error).split())}")
    print(f"the cluster started within {time.monotonic() - started:.0f} s", flush=True)
    try:
        return run_tests("a run on many hosts", sys.argv[1], sys.argv[2:])
    finally:
        Slurm.cluster.end()


if __name__ == "__main__":
    sys.exit(run())
