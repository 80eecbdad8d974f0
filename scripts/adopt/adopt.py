#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges the shaders of another project: places them by `vkassay init`, checks them, and writes a table.

usage: adopt.py NAMES LINES OUT COMMIT [SHADERS]

NAMES is the project's dictionary (`init --names`). LINES has a line for each variant (`init --defines`). SHADERS is the
folder of the passes in the dictionary. OUT becomes a folder with the manifest, the results, and the table as table.md
and table.json. BUDGET limits the seconds of the check, 600 by default. VKASSAY is the program. Ends with 0 if the table
is written, whatever its verdicts are.
"""

import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parents[2]
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
          ("would be refused", "its manifest would be refused")]
# Causes outside init's scope. The others count against it.
OUT_OF_SCOPE = ("type ", "is an image", "is a header", "does not compile")


def place(names, lines, out):
    """Writes the manifest. Returns the names of its kernels, and the variants not placed, each with the reason."""
    manifest = out / "kernels/kernels.json"
    manifest.parent.mkdir(parents=True)
    ran = subprocess.run(
        [PROGRAM, "init", "--defines", lines, "--names", names, "--out", manifest],
        capture_output=True, text=True, check=False)
    (out / "init.log").write_text(ran.stdout + ran.stderr, encoding="utf-8")
    if ran.returncode not in (0, 3, 4):
        sys.exit(f"adopt.py: init ended with {ran.returncode}: {ran.stderr.strip().splitlines()[-1:]}")
    found = [NOT_PLACED.match(line) for line in ran.stderr.splitlines()]
    missed = [(m["variant"] or pathlib.Path(m["file"]).stem, m["why"]) for m in found if m]
    kernels = json.loads(manifest.read_text(encoding="utf-8"))["kernels"] if manifest.exists() else []
    names = [kernel["name"] for kernel in kernels]
    placed = {name.split(".", 1)[-1] for name in names}
    return names, [(variant, of_placed(why, placed)) for variant, why in missed]


def of_placed(why, placed):
    """Returns the reason of a pass: another one if the kernel that runs it is not placed."""
    whole = re.match(r"a pass of (\S+)$", why)
    return "its kernel is not placed" if whole and whole[1] not in placed else why


def check(out):
    """Runs the sampled check, and returns its records."""
    command = [PROGRAM, "check", "--only", out / "kernels", "--out", out / "results", "--trim", "--quiet",
               "--budget", os.environ.get("BUDGET", "600")]
    ran = subprocess.run([*command], capture_output=True, text=True, check=False)
    (out / "check.log").write_text(ran.stdout + ran.stderr, encoding="utf-8")
    results = sorted((out / "results").glob("*/*/result.json"))
    if not results:
        sys.exit(f"adopt.py: the check has no result; it ended with {ran.returncode}: see {out}/check.log")
    return json.loads(results[-1].read_text(encoding="utf-8"))


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
    return "not run", records[0] if records else None


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


def summary_of(project, commit, result, rows, missed):
    """Returns the table as data."""
    causes = collections.Counter(cause_of(why) for _, why in missed)
    outside = sum(n for cause, n in causes.items() if cause.startswith(OUT_OF_SCOPE))
    verdicts = collections.Counter(row["verdict"] for row in rows)
    total, passes = len(rows) + len(missed), causes.pop("a pass of another kernel", 0)
    return {
        "project": project, "commit": commit,
        "device": result["device"]["name"], "driver": result["device"]["driver_info"],
        "variants": total, "in_scope": total - outside, "placed": len(rows) + passes, "passes": passes,
        "verdicts": dict(sorted(verdicts.items())),
        "not_placed": dict(causes.most_common()), "kernels": rows,
    }


def page_of(table):
    """Returns the table as Markdown."""
    share = 100 * table["placed"] / max(table["in_scope"], 1)
    lines = [
        f"# {table['project']}", "",
        f"Commit `{table['commit']}` on {table['device']}. Replay a point by "
        "`vkassay check POINT --seed 1 --only OUT/kernels`.", "",
        "| variants | in scope | placed, passes too | share | " + " | ".join(table["verdicts"]) + " |",
        "|" + "---:|" * (4 + len(table["verdicts"])),
        f"| {table['variants']} | {table['in_scope']} | {table['placed']} | `{share:.0f} %` | "
        + " | ".join(str(n) for n in table["verdicts"].values()) + " |", "",
        "| not placed: cause | variants |", "|---|---:|"]
    lines += [f"| {cause.replace('|', '/')} | {n} |" for cause, n in table["not_placed"].items()]
    shown = [row for row in table["kernels"] if row["verdict"] != "right"]
    if shown:
        lines += ["", "| kernel | verdict | point | reason |", "|---|---|---|---|"]
    for row in shown:
        reason = row.get("reason", "").translate({ord("|"): "/", ord("\n"): " ", ord("`"): "'"})
        lines.append(f"| {row['kernel']} | {row['verdict']} | `{row.get('point', '')}` | `{reason[:160]}` |")
    return "\n".join(lines) + "\n"


def main(names, lines, out, commit, shaders=None):
    """Places, checks and writes the table."""
    project, out = pathlib.Path(names).stem, pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    if shaders:
        (out / "shaders").symlink_to(pathlib.Path(shaders).resolve())
    kernels, missed = place(names, lines, out)
    result = check(out) if kernels else {"records": [], "device": {"name": "none", "driver_info": ""}}
    table = summary_of(project, commit, result, judge(kernels, result), missed)
    (out / "table.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(page_of(table), encoding="utf-8")
    print(f"{project}: {table['variants']} variants, {table['in_scope']} in scope, {table['placed']} placed; "
          + ", ".join(f"{n} {verdict}" for verdict, n in table["verdicts"].items())
          + f"; {shlex.quote(str(out))}/table.md")
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
