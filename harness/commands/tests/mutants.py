#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the mutants of mutants.json, the repository's own kernels, each broken in one way: mutants.py FOLDER STEP...

    run     puts the mutants and a sound copy of each kernel into FOLDER, and checks them by `vkassay` of the PATH
    broad   the table has mutants of many kinds
    caught  each mutant fails by its check
    sound   the sound copies pass the same points; a skip is no pass
    lines   prints the kind, name and kernel of each mutant with all checks that caught it

With VKASSAY_TEST_DEPTH=presubmit, only the first mutant of every second kind is run, of those a cold driver builds soon.
"""
import json
import os
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TOP / "scripts"))
import packed  # noqa: E402  (it is in scripts/)

KERNELS = TOP / "kernels"
CHECKS = json.loads((TOP / "reports/schema/result.schema.json").read_text())["definitions"]["record"]["properties"][
    "failed"]["items"]["enum"]
LEAST_MUTANTS, LEAST_KINDS = 40, 15


def load():
    """Returns the table; each row also has its tier, and the manifest of its kernel."""
    found = {kernel["name"]: path for path in KERNELS.rglob("*.json")
             for kernel in json.loads(path.read_text()).get("kernels", [])}
    table = json.loads((TOP / "harness/commands/tests/mutants.json").read_text())
    for row in table:
        row["manifest"] = found[row["kernel"]].relative_to(KERNELS)
        row["broken"] = f"{row['kernel']}.mutant_{row['name']}"
        # The sampled tier checks more of a kernel that is selected by itself.
        row.setdefault("tier", "smoke")
    return table


def some(table):
    soon = [row for row in table if row["tier"] == "smoke" and not row["kernel"].startswith("attention")]
    return list({row["kind"]: row for row in reversed(soon)}.values())[::-1][::2]


def run_of(row):
    return row["name"] if row["tier"] == "alone" else row["tier"]


def with_sound_names(rows):
    """Names the sound copy of each row. Rows of one run with one kernel and equal types share it."""
    names = {}
    for row in rows:
        key = run_of(row), row["kernel"], str(row.get("dtypes"))
        row["sound"] = names.setdefault(key, f"{row['kernel']}.sound_{row['name']}")
    return rows


def text_of(row, file, broken):
    """Returns the text of a file of kernels/, with the mutant's edits if it is to be broken."""
    text = (KERNELS / file).read_text()
    for edit in row["edits"] if broken else []:
        if edit["file"] == str(file):
            count = text.count(edit["from"])
            assert count == edit.get("times", 1), f"{row['name']}: {file} has '{edit['from']}' {count} times"
            text = text.replace(edit["from"], edit["to"])
    return text


def link(path, to):
    to.parent.mkdir(parents=True, exist_ok=True)
    to.symlink_to(path)


def place(row, folder, name, broken):
    """Makes a folder with only this kernel. Sources are beside its manifest, where includes are searched first."""
    family, edited = row["manifest"].parts[0], {edit["file"] for edit in row["edits"]} if broken else set()
    for file in edited:
        used = file == str(row["manifest"]) if file.endswith(".json") else file.split("/")[0] in (family, "include")
        assert used, f"{row['name']}: {file} is no file of {row['kernel']}"  # else the kernel would stay sound
    for source in (family, "include"):
        for path in (KERNELS / source).rglob("*"):
            file, to = str(path.relative_to(KERNELS)), folder / name / path.relative_to(KERNELS / source)
            if path.is_file() and path.suffix != ".json" and file not in edited:
                link(path, to)
            elif path.is_file() and path.suffix != ".json":
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_text(text_of(row, file, True))
    manifest = json.loads(text_of(row, row["manifest"], broken))
    kernel, = (kernel for kernel in manifest["kernels"] if kernel["name"] == row["kernel"])
    kernel.update(name=name, **({"dtypes": row["dtypes"]} if "dtypes" in row else {}))
    manifest["kernels"] = [kernel]
    (folder / name / "manifest.json").write_text(json.dumps(manifest))


def run(rows, folder):
    """Checks all kernels of a tier in one run, and each mutant of its own tier at its points."""
    for name in sorted({run_of(row) for row in rows}):
        own = [row for row in rows if run_of(row) == name]
        kernels, points = folder / "kernels" / name, f"/*/{own[0]['points']}" if own[0]["tier"] == "alone" else "*"
        for path in KERNELS.rglob("*"):  # for includes and shaders that are named through ".."
            if path.is_file() and path.suffix not in (".json", ".md"):
                link(path, kernels / path.relative_to(KERNELS))
        for row in own:
            place(row, kernels, row["broken"], True)
            if not (kernels / row["sound"]).exists():
                place(row, kernels, row["sound"], False)
        subprocess.run(["vkassay", "check", "--tier", "smoke" if name == "smoke" else "sampled", "--kernels", kernels,
                        f"*.mutant_*{points}", f"*.sound_*{points}", "--quiet", "--trim", "--out", folder / "out" / name],
                       env={"VKASSAY_SEED": "1", **os.environ}, stdout=sys.stderr, check=False)


class Results:
    def __init__(self, folder):
        self.folder, self.read = folder, {}

    def of(self, row):
        if run_of(row) not in self.read:
            path, = (self.folder / "out" / run_of(row)).glob("*/*/result.jsonl")
            self.read[run_of(row)] = packed.result(path)
        return self.read[run_of(row)]

    def records(self, row, name):
        return [record for record in self.of(row)["records"] if record["kernel"] == name]

    def lacks(self, row, feature):
        return not self.of(row)["device"]["features"].get(feature, True)


def broad(table, _):
    kinds = {row["kind"] for row in table}
    anywhere = [row for row in table if "needs" not in row]
    assert {row["caught_by"] for row in table} <= set(CHECKS), "a check has no such name"
    assert len({row["name"] for row in table}) == len(table), "a name occurs twice"
    assert len(anywhere) >= LEAST_MUTANTS and len(kinds) >= LEAST_KINDS, f"{len(anywhere)} mutants, {len(kinds)} kinds"


def caught(rows, results):
    left = []
    for row in rows:
        records = results.records(row, row["broken"])
        if any(row["caught_by"] in record.get("failed", []) for record in records):
            continue
        skipped = records and all(record["status"] == "skip" for record in records)
        if not ("needs" in row and (skipped or results.lacks(row, row["needs"]))):
            left.append(f"{row['name']} ({row['kind']}) was not caught by '{row['caught_by']}':" + "".join(
                f"\n    {record['name']}: {record['status']} {record['reason']}" for record in records))
    assert not left, "\n".join(left)


def sound(rows, results):
    feature = "the device lacks the feature "
    for row in rows:
        records = results.records(row, row["sound"])
        passed = [record for record in records if record["status"] == "pass"]
        types = {record["dtype"] for record in passed}
        for record in records:
            # A skip is right if the device lacks a feature, or other points of the type passed.
            reason = record["reason"] or ""
            assert record["status"] == "pass" or record["status"] == "skip" and (
                results.lacks(row, reason[len(feature):]) if reason.startswith(feature) else record["dtype"] in types
            ), f"{record['name']}: {record['status']}: {reason}"
        assert passed or "needs" in row, f"no point of {row['sound']} passed"


def lines(rows, results):
    for row in rows:
        found = {check for record in results.records(row, row["broken"]) for check in record.get("failed", [])}
        checks = ", ".join(check for check in CHECKS if check in found) or "no such type"
        print(row["kind"], row["name"], row["kernel"], checks, sep="\t")


def main():
    folder, table = pathlib.Path(sys.argv[1]).absolute(), load()
    rows = with_sound_names(some(table) if os.environ.get("VKASSAY_TEST_DEPTH") == "presubmit" else table)
    for step in sys.argv[2:]:
        if step == "run":
            run(rows, folder)
        else:
            {"broad": broad, "caught": caught, "sound": sound, "lines": lines}[step](
                table if step == "broad" else rows, Results(folder))


if __name__ == "__main__":
    try:
        main()
    except AssertionError as wrong:
        sys.exit(f"mutants.py: {wrong}")
