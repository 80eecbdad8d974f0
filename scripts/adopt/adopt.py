#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges the shaders of another project: places them by `vkassay init`, checks them, and writes a table.

usage: adopt.py NAMES LINES OUT COMMIT [SHADERS]

NAMES is the project's dictionary (`init --names`). LINES has a line for each variant (`init --defines`). SHADERS is the
folder of the passes in the dictionary. OUT becomes a folder with the manifests, the results, and the table as table.md
and table.json. Lines are judged in batches: the first batch of each large shader in turn. BUDGET limits the seconds of
all batches, 600 by default, and JOBS batches are judged at once. Finished batches in OUT are not judged again, so a
second run with the same OUT continues. VKASSAY is the program. Ends with 0 if the table is written, whatever its
verdicts are.
"""

import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HERE / "scripts"))
import packed  # noqa: E402

PROGRAM = os.environ.get("VKASSAY", str(HERE / "build/vkassay"))
NOT_PLACED = re.compile(
    r"^vkassay: not placed: (?P<file>.*?)(?: \((?P<variant>[^()]*)\))?(?:, (?P<entry>\w+))?: (?P<why>.*)$")
# Parts of reasons, each with its cause.
CAUSES = [("a trial differs", "a small point is wrong"), ("does not bind", "is an image"),
          ("the shader compiler lacks", "does not compile"), ("does not compile", "does not compile"),
          ("no operator has this name", "no operator has this name"), ("a pass of ", "a pass of another kernel"),
          ("is no operand of", "a binding that the operator has not"),
          ("no storage buffer of it", "an operand without a binding"),
          ("without a known meaning", "an array of unknown meaning"),
          ("would be refused", "its manifest would be refused"),
          ("never enables", "a capability that is never enabled")]
# Causes outside init's scope. The others count against it.
OUT_OF_SCOPE = ("type ", "is an image", "is a header", "does not compile")
BATCH = 16
LEAST_CHECK = 15  # seconds
SHADER = re.compile(r"\.(comp|glsl|hlsl|wgsl|spv)$")


def lines_of(path):
    """Returns the lines of variants, each with its shader and with the folder of its relative paths."""
    folder, found = pathlib.Path(path).resolve().parent, []
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        words = shlex.split(line)
        if words[:1] == ["cd"]:
            folder = folder / words[1]
        elif words:
            shader = next((word for word in words[1:] if SHADER.search(word)), words[0])
            moves = "" if shader.startswith("/") else f"cd {shlex.quote(str(folder))}\n"
            found.append((shader, f"{moves}{line}\n"))
    return found


def batches_of(lines):
    """Returns batches of lines: the first batch of each shader in turn, those of most lines first."""
    families = collections.defaultdict(list)
    for shader, line in lines:
        families[shader].append(line)
    few = [line for family in families.values() if len(family) < BATCH for line in family]
    many = sorted((family for family in families.values() if len(family) >= BATCH), key=len, reverse=True)
    parts = [[family[at:at + BATCH] for at in range(0, len(family), BATCH)] for family in [*many, few]]
    return [batch for turn in itertools.zip_longest(*parts) for batch in turn if batch]


def run(command, log, seconds):
    """Runs a command, and returns its errors; None: it took longer, and was ended."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True) as process:
        try:
            said, errors = process.communicate(timeout=max(seconds, 1))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None
    with open(log, "a", encoding="utf-8") as file:
        file.write(said + errors)
    if process.returncode not in (0, 1, 3, 4):
        sys.exit(f"adopt.py: {command[1]} ended with {process.returncode}: {errors.strip().splitlines()[-1:]}")
    return errors


def place(names, batch, manifest, log, seconds):
    """Writes the manifest. Returns its kernels' names, and the variants not placed with reasons; None: no time."""
    lines = manifest.with_suffix(".lines")
    lines.write_text("".join(batch), encoding="utf-8")
    errors = run([PROGRAM, "init", "--defines", lines, "--names", names, "--out", manifest], log, seconds)
    if errors is None:
        return None
    found = [NOT_PLACED.match(line) for line in errors.splitlines()]
    missed = [(m["variant"] or pathlib.Path(m["file"]).stem, m["why"]) for m in found if m]
    kernels = json.loads(manifest.read_text(encoding="utf-8"))["kernels"] if manifest.exists() else []
    return [kernel["name"] for kernel in kernels], missed


def of_placed(why, placed):
    """Returns the reason of a pass: another one if the kernel that runs it is not placed."""
    whole = re.match(r"a pass of (\S+)$", why)
    return "its kernel is not placed" if whole and whole[1] not in placed else why


def check(folder, results, log, seconds):
    """Runs the sampled check of a folder of manifests, and returns its result."""
    run([PROGRAM, "check", "--only", folder, "--out", results, "--trim", "--quiet", "--budget", f"{seconds:.0f}"], log,
        seconds + 120)
    found = sorted(results.glob("*/*/result.jsonl"))
    return packed.result(found[-1]) if found else None


def cause_of(why):
    """Shortens a reason to its cause, so that alike reasons are counted together."""
    for part, cause in CAUSES:
        if part in why:
            return cause
    why = re.sub(r"^as \w+: |\(.*?\)|\"[^\"]*\"|'[^']*'", "", why)
    return re.sub(r"\b\d+\b", "N", re.split("[;:]", why)[0]).strip()


def verdict_of(records):
    """Returns the verdict of a kernel: the worst of its points, with a record of it."""
    for status, verdict in (("fail", "wrong"), ("error", "error"), ("pass", "right")):
        for record in records:
            if record["status"] == status:
                return verdict, record
    return "not run", records[-1] if records else None  # the first is small, and may be no whole block


def judge(kernels, result):
    """Returns a row for each kernel: its name, its verdict, and the point of this verdict."""
    records = collections.defaultdict(list)
    for record in result["records"]:
        records[record["kernel"]].append(record)
    rows = []
    for name in kernels:
        verdict, record = verdict_of(records[name])
        row = {"kernel": name, "verdict": verdict, "points": len(records[name])}
        if verdict not in ("right",) and record:
            row["reason"] = (record.get("reason") or "")[:300]
            row["point"] = record["name"]
        rows.append(row)
    return rows


def judge_batch(names, batch, out, number, seconds, share):
    """Places and checks a batch. Returns what is kept of it; None: there was no time."""
    trying, log = out / f"trying{number:03}", out / f"parts/{number:03}.log"
    shutil.rmtree(trying, ignore_errors=True)
    trying.mkdir()
    log.unlink(missing_ok=True)
    manifest = out / f"kernels/{number:03}.json"
    manifest.unlink(missing_ok=True)
    found = place(names, batch, trying / manifest.name, log, seconds)
    if found is None:
        return None
    part = {"lines": batch, "names": pathlib.Path(names).read_text(encoding="utf-8"), "missed": found[1], "rows": []}
    if found[0]:
        results = out / f"results/{number:03}"
        shutil.rmtree(results, ignore_errors=True)
        result = check(trying, results, log, share)
        if result is None:
            return None
        part |= {"rows": judge(found[0], result), "device": result["device"]["name"],
                 "driver": result["device"]["driver_info"]}
        os.replace(trying / manifest.name, manifest)
    return part


def part_of(names, batch, out, number, clock):
    """Returns the part of a batch: that of an earlier run, or a new one while there is time."""
    file, seconds, part = out / f"parts/{number:03}.json", clock.end - time.monotonic(), None
    if file.exists():
        part = json.loads(file.read_text(encoding="utf-8"))
        if part["lines"] != batch or part["names"] != pathlib.Path(names).read_text(encoding="utf-8"):
            part = None
    if not part and seconds > 0:
        share = max(LEAST_CHECK, seconds * clock.jobs * len(batch) / clock.left)
        part = judge_batch(names, batch, out, number, seconds, share)
        shutil.rmtree(out / f"trying{number:03}", ignore_errors=True)
        if part:
            file.write_text(json.dumps(part, indent=1) + "\n", encoding="utf-8")
    clock.left -= len(batch)
    return part


class Clock:
    """The time of all batches, the lines that are left, and the batches at once."""

    def __init__(self, lines):
        self.left, self.jobs = lines, int(os.environ.get("JOBS", "1"))
        self.end = time.monotonic() + float(os.environ.get("BUDGET", "600"))


def judge_all(names, lines, out):
    """Judges batches until the time is over. Returns the parts kept, and the number of lines not tried."""
    batches = batches_of(lines_of(lines))
    clock = Clock(sum(len(batch) for batch in batches))
    with concurrent.futures.ThreadPoolExecutor(clock.jobs) as pool:
        tasks = [pool.submit(part_of, names, batch, out, number, clock) for number, batch in enumerate(batches)]
        parts = [task.result() for task in tasks]
    return [part for part in parts if part], sum(len(batch) for batch, part in zip(batches, parts) if not part)


def summary_of(project, commit, parts, untried):
    """Returns the table as data."""
    rows = [row for part in parts for row in part["rows"]]
    placed = {row["kernel"].split(".", 1)[-1] for row in rows}
    missed = [of_placed(why, placed) for part in parts for _, why in part["missed"]]
    causes = collections.Counter(cause_of(why) for why in missed)
    outside = sum(n for cause, n in causes.items() if cause.startswith(OUT_OF_SCOPE))
    verdicts = collections.Counter(row["verdict"] for row in rows)
    tried, passes = len(rows) + len(missed), causes.pop("a pass of another kernel", 0)
    device = next((part for part in parts if part["rows"]), {"device": "none", "driver": ""})
    return {
        "project": project, "commit": commit, "device": device["device"], "driver": device["driver"],
        "variants": tried + untried, "not_tried": untried, "in_scope": tried - outside, "placed": len(rows) + passes,
        "passes": passes, "verdicts": dict(sorted(verdicts.items())),
        "not_placed": dict(causes.most_common()),
        "not_run": dict(collections.Counter(
            cause_of(row.get("reason", "")) for row in rows if row["verdict"] == "not run").most_common()),
        "kernels": rows,
    }


def page_of(table):
    """Returns the table as Markdown."""
    share = 100 * table["placed"] / max(table["in_scope"], 1)
    lines = [
        f"# {table['project']}", "",
        f"Commit `{table['commit']}` on {table['device']}. Replay a point by "
        "`vkassay check POINT --seed 1 --only OUT/kernels`.", "",
        "In scope: shaders that compile, use buffers only, and have types of operators. Passes of a placed kernel are "
        "placed, too.", "",
        "| variants | not tried | in scope | placed | share | " + " | ".join(table["verdicts"]) + " |",
        "|" + "---:|" * (5 + len(table["verdicts"])),
        f"| {table['variants']} | {table['not_tried']} | {table['in_scope']} | {table['placed']} | `{share:.0f} %` | "
        + " | ".join(str(n) for n in table["verdicts"].values()) + " |"]
    for title, counts in (("not placed: cause", table["not_placed"]), ("not run: cause", table["not_run"])):
        if counts:
            lines += ["", f"| {title} | variants |", "|---|---:|"]
            lines += [f"| {cause.replace('|', '/')} | {n} |" for cause, n in counts.items()]
    shown = [row for row in table["kernels"] if row["verdict"] not in ("right", "not run")]
    if shown:
        lines += ["", "| kernel | verdict | point | reason |", "|---|---|---|---|"]
    for row in shown:
        reason = row.get("reason", "").translate({ord("|"): "/", ord("\n"): " ", ord("`"): "'"})
        lines.append(f"| {row['kernel']} | {row['verdict']} | `{row.get('point', '')}` | `{reason[:160]}` |")
    return "\n".join(lines) + "\n"


def write_table(table, folder):
    """Writes the table as table.json and table.md."""
    (folder / "table.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    (folder / "table.md").write_text(page_of(table), encoding="utf-8")


def main(names, lines, out, commit, shaders=None):
    """Places, checks and writes the table."""
    project, out = pathlib.Path(names).stem, pathlib.Path(out)
    for folder in ("parts", "kernels", "results"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    if shaders and not (out / "shaders").exists():
        (out / "shaders").symlink_to(pathlib.Path(shaders).resolve())
    table = summary_of(project, commit, *judge_all(names, lines, out))
    write_table(table, out)
    print(f"{project}: {table['variants']} variants, {table['not_tried']} not tried, {table['in_scope']} in scope, "
          f"{table['placed']} placed; " + ", ".join(f"{n} {verdict}" for verdict, n in table["verdicts"].items())
          + f"; {shlex.quote(str(out))}/table.md")
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
