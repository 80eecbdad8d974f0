#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads each form of exports.py as its consumer does, and compares the figures with the result: exports_check.py PROGRAM

SQLite loads SQL. The parser of Prometheus' own client (python3-prometheus-client) and promtool (prometheus) read
OpenMetrics, and compare.py (libbenchmark-tools) the form of google-benchmark. A consumer that is missing is not run.
"""
import collections
import csv
import io
import json
import math
import pathlib
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

import needs

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/exports.py"
sys.path.insert(0, str(ROOT / "scripts"))
import exports  # noqa: E402
import packed  # noqa: E402

EXAMPLE = ROOT / "reports/examples/nvidia-h200/quick.json"
COMPARE = pathlib.Path("/usr/share/benchmark/compare.py")
# Delimiters, line ends and control characters of every form.
HOSTILE = "a\"b'c;|d`<e>&\\'\r\nf\x01\x1b[31m\tg\u00e9 -->"


class Case:
    """A result, its rows of CSV, and the best record and row of each case."""

    def __init__(self, program, path):
        self.result, self.path = packed.result(path), path
        text = subprocess.run([program, "export", path, "--format", "csv"], check=True, stdout=subprocess.PIPE).stdout
        self.rows = list(csv.DictReader(io.StringIO(text.decode(), newline="")))
        self.best = {record["case"]: (record, row) for record, row in zip(self.result["records"], self.rows)
                     if row["best"] == "true"}


def made_up(folder):
    """Writes a part of an example with samples, a wrong point of hostile texts, and every other status."""
    result = packed.result(EXAMPLE)
    kept = [r for r in result["records"] if r["status"] == "skip" or r["peak"]] + result["records"][100:160]
    result["records"] = list({r["name"]: r for r in kept}.values())
    timed = [r for r in result["records"] if exports.compute(r)]
    for number, record in enumerate(timed[:6]):
        compute = record["time"]["compute"]
        compute["raw_ns"] = [compute["median_ns"] + (n - 2) * (number > 0) for n in range(5)][:1 if number == 0 else 5]
        compute["samples"] = len(compute["raw_ns"])
    cases = collections.Counter(r["case"] for r in timed)
    lucky = next(r for r in timed[15:] if cases[r["case"]] > 1)  # one sample is too few for the best
    lucky["time"]["compute"].update(samples=1, median_ns=0.1, lo_ns=0.1, hi_ns=0.1)
    for status, record in zip(("fail", "error", "timeout", "crash", "device-lost"), timed[10:]):
        record.update(status=status, reason=f"{status}: {HOSTILE}")
        record.pop("time")
    wrong = timed[10]
    wrong["name"] = f"{wrong['case']}/wg={HOSTILE}"
    path = folder / "result.jsonl"
    records = result.pop("records")
    path.write_text("".join(json.dumps(line) + "\n" for line in [result, *records]))
    return path


def near(a, b):
    """Returns whether two numbers are equal but for the last bits, which SQLite 3.46 reads inexactly."""
    return a == b or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-14))


def check_sql(path, case):
    """Loads the file twice; the second time replaces the first."""
    database, result = sqlite3.connect(":memory:"), case.result
    for _ in range(2):
        database.executescript(path.read_text(encoding="utf-8"))
    database.row_factory = sqlite3.Row
    found = database.execute("SELECT * FROM vkassay_points ORDER BY rowid").fetchall()
    assert len(found) == len(result["records"])
    device, run, tool = result["device"], result["run"], result["tool"]
    key = "/".join([device["name"], device["driver_info"], run["suite"], run["started"], device["device_uuid"]])
    for row, record, cells in zip(found, result["records"], case.rows):
        time, check = record.get("time") or {}, record.get("check") or {}
        for name in "operator", "kernel", "dtype", "status":
            assert row[name] == record[name], (record["name"], name)
        assert row["result"] == key and record["name"].startswith(row["name"][:10])
        assert (row["reason"] or "")[:15] == (record["reason"] or "")[:15], record["name"]
        assert record["name"].startswith(row["case_name"]) and row["case_name"] == record["case"]
        for name in "max_ulp", "bound_ulp":
            assert near(row[name], check[name] if check.get("checked") else None), (record["name"], name)
        for name in "median_ns", "lo_ns", "hi_ns", "samples":
            expected = time.get("compute", {}).get(name, 0 if name == "samples" else None)
            assert near(row[f"compute_{name}"], expected), (record["name"], name)
        for name in "upload", "download", "end_to_end":
            assert near(row[f"{name}_ns"], time.get(name, {}).get("median_ns")), (record["name"], name)
        for name in "rate", "rate_of_peak":
            assert near(row[name], float(cells[name]) if cells[name] else None), (record["name"], name)
        assert (row["rate_unit"] or "") == cells["rate_unit"]
    (facts,) = database.execute("SELECT * FROM vkassay_results")
    assert tuple(facts) == (key, device["name"], f"{device['driver_name']} {device['driver_info']}", run["suite"],
                            run["seed"], run["started"], tool["version"], tool["git"])


def check_openmetrics(path, case):
    text, result = path.read_text(encoding="utf-8"), case.result
    assert text.endswith("# EOF\n")
    if shutil.which("promtool"):  # status 1: refused; 3: a matter of style
        said = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
        assert said.returncode in (0, 3), said.stderr
    # The node exporter and the push gateway read the Prometheus text format, version 0.0.4, and refuse other types.
    types = re.findall("^# TYPE ([^ ]+) ([^ ]+)$", text, re.MULTILINE)
    assert {kind for _, kind in types} <= {"counter", "gauge", "histogram", "summary", "untyped"}, types
    try:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
    except ImportError:
        return needs.not_run("missing: a Python with prometheus_client (scripts/install.sh test)")
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert families["vkassay_compute_seconds"].unit == "seconds"
    for name, key in ("", "median_ns"), ("_low", "lo_ns"), ("_high", "hi_ns"):
        values = {s.labels["case"]: s.value for s in families[f"vkassay_compute{name}_seconds"].samples}
        assert set(values) == set(case.best)
        assert all(math.isclose(values[of], r["time"]["compute"][key] * 1e-9) for of, (r, _) in case.best.items()), key
    shares = {of: float(row["rate_of_peak"]) for of, (_, row) in case.best.items() if row["rate_of_peak"]}
    ratios = {sample.labels["case"]: sample.value for sample in families["vkassay_peak_ratio"].samples}
    assert shares and set(ratios) == set(shares) and all(math.isclose(ratios[of], shares[of]) for of in shares)
    for sample in families["vkassay_compute_seconds"].samples:
        record, _ = case.best[sample.labels["case"]]
        labels = {key: record[key] for key in ("operator", "kernel", "dtype", "case")}
        assert sample.labels == {**labels, "device": "0"}
    (device,) = families["vkassay_device_info"].samples
    labels = {"name": "name", "driver": "driver_name", "driver_version": "driver_info"}
    assert device.labels == {"device": "0", **{label: result["device"][key] for label, key in labels.items()}}
    points = {sample.labels["status"]: sample.value for sample in families["vkassay_points"].samples}
    schema = json.loads((ROOT / "reports/schema/result.schema.json").read_text())
    assert set(points) == set(schema["definitions"]["status"]["enum"])
    assert all(count == sum(r["status"] == status for r in result["records"]) for status, count in points.items())
    return True


def check_trace(path, case):
    """Reads a file as the viewers do: complete events in microseconds; events of one track never overlap."""
    events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    assert {e["ph"] for e in events} == {"X", "M"}
    assert all(isinstance(e["pid"], int) and isinstance(e["tid"], int) and e["name"] for e in events)
    tracks = {track: [e for e in events if e["ph"] == "X" and e["tid"] == track] for track in (1, 2)}
    for track in tracks.values():
        end = 0
        for event in track:
            assert event["ts"] >= end and event["dur"] > 0
            end = event["ts"] + event["dur"]
    timed = [r for r in case.result["records"] if sum((r.get("wall") or {}).values())]
    assert timed and len(timed) == len(tracks[1])
    for point, record in zip(tracks[1], timed):
        assert (point["name"], point["cat"]) == (record["name"], record["status"])
        assert math.isclose(point["dur"], sum(record["wall"].values()) / 1e3, abs_tol=1e-6)
        given, compute = dict(point["args"]), (record.get("time") or {}).get("compute", {})
        assert (given.pop("status"), given.pop("reason", None)) == (record["status"], record.get("reason"))
        assert given == {name: compute[key] for name, key in (("compute_median_ns", "median_ns"), ("samples", "samples"))
                         if compute}, record["name"]
    parts = [(key.removesuffix("_ns"), ns / 1e3) for r in timed for key, ns in r["wall"].items() if ns]
    assert [e["name"] for e in tracks[2]] == [name for name, _ in parts]
    assert all(math.isclose(e["dur"], us, abs_tol=1e-6) for e, (_, us) in zip(tracks[2], parts))


def check_gbench(path, case):
    file, result = json.loads(path.read_text(encoding="utf-8")), case.result
    context, run, device = file["context"], result["run"], result["device"]
    for key in "host_name", "mhz_per_cpu", "cpu_scaling_enabled", "caches", "library_build_type":
        assert key in context
    assert context["date"] == run["started"].removesuffix("Z") + "+00:00"
    assert (context["num_cpus"], context["library_version"]) == (result["host"]["cores"], result["tool"]["version"])
    assert (context["device"], context["driver"]) == (device["name"], f"{device['driver_name']} {device['driver_info']}")
    assert (context["suite"], context["seed"]) == (run["suite"], run["seed"])
    found, sampled = {}, 0
    for entry in file["benchmarks"]:
        assert entry["time_unit"] == "ns" and {"real_time", "cpu_time"} <= set(entry)
        assert entry["run_type"] == "iteration" or (entry["run_type"] == "aggregate" and entry["aggregate_name"])
        found.setdefault(entry["name"], []).append(entry)
    timed = [r for r in result["records"] if r["status"] == "pass" and "compute" in (r.get("time") or {})]
    assert timed and {e["run_name"] for e in file["benchmarks"]} == {r["name"] for r in timed}
    for family, record in enumerate(timed):
        compute, name = record["time"]["compute"], record["name"]
        samples = compute.get("raw_ns", [])
        sampled += len(samples) > 1
        repetitions = found.get(name, [])
        assert [e["real_time"] for e in repetitions] == samples == [e["cpu_time"] for e in repetitions]
        assert [e["repetition_index"] for e in repetitions] == list(range(len(samples)))
        assert all(e["repetitions"] == compute["samples"] and e["family_index"] == family for e in repetitions)
        for kind, value in ("bytes", record["cost"]["bytes"]), ("flops", record["cost"]["flops"]):
            assert all(math.isclose(e.get(f"{kind}_per_second", 0), value / e["real_time"] * 1e9) for e in repetitions)
        aggregates = {"median": compute["median_ns"]}
        if samples:
            aggregates["mean"] = statistics.fmean(samples)
        if len(samples) > 1:
            aggregates["stddev"] = statistics.stdev(samples)
        for kind in "median", "mean", "stddev":
            entries = found.get(f"{name}_{kind}", [])
            assert len(entries) == (kind in aggregates)
            assert all(math.isclose(e["real_time"], aggregates[kind], rel_tol=1e-12) for e in entries)
    assert sampled
    if not COMPARE.exists():
        return needs.not_run("missing: compare.py of google-benchmark (libbenchmark-tools)")
    said = subprocess.run([sys.executable, COMPARE, "--no-utest", "benchmarks", path, path], capture_output=True, text=True)
    if "No module named" in said.stderr:
        return needs.not_run("missing: a Python with numpy and scipy, for google-benchmark's compare.py")
    assert said.returncode == 0 and timed[1]["name"] in said.stdout, said.stderr
    return True


def check_bencher(path, case):
    """Reads a file as bencher's adapter "json" does: names with measures, each a value with limits (all numbers)."""
    found = json.loads(path.read_text(encoding="utf-8"))
    assert case.best and set(found) == set(case.best)
    for name, measures in found.items():
        assert len(name) <= 1024 and "latency" in measures
        for measure, metric in measures.items():
            assert set(metric) == {"value", "lower_value", "upper_value"}, measure
            assert metric["lower_value"] <= metric["value"] <= metric["upper_value"]
        (record, row), latency = case.best[name], measures.pop("latency")
        time = record["time"]["compute"]
        assert list(latency.values()) == [time["median_ns"], time["lo_ns"], time["hi_ns"]]
        unit = "bytes_per_second" if row["rate_unit"] == "B/s" else "operations_per_second"
        assert set(measures) == ({unit} if row["rate"] else set())
        if row["rate"]:
            limits = [float(row["rate"]) * time["median_ns"] / time[end] for end in ("median_ns", "hi_ns", "lo_ns")]
            assert all(map(math.isclose, measures[unit].values(), limits)), name


def check_calls(program, path, folder):
    """Checks the refusals, and the program's answer to a form of the script."""
    def run(*words):
        return subprocess.run([sys.executable, SCRIPT, *words, "--program", program], capture_output=True, text=True)
    assert run("parquet", path).returncode == 2
    assert run("gbench", path, path).returncode == 2 and "holds one result" in run("gbench", path, path).stderr
    other = folder / "other.json"
    for text in "{}", "[", "":
        other.write_text(text)
        refused = run("sql", other, "--out", folder / "none")
        assert refused.returncode == 1 and str(other) in refused.stderr and "Traceback" not in refused.stderr, refused
    assert not (folder / "none").exists()
    for form in exports.FORMS:
        said = subprocess.run([program, "export", path, "--format", form], capture_output=True, text=True)
        assert said.returncode == 64 and f"`exports.py {form} RESULT`" in said.stderr, said


CHECKS = {"sql": check_sql, "openmetrics": check_openmetrics, "trace": check_trace, "gbench": check_gbench,
          "bencher": check_bencher}


def main(program):
    program = str(pathlib.Path(program).resolve())
    assert set(CHECKS) == set(exports.FORMS), "each form has a reader"
    with tempfile.TemporaryDirectory(prefix="vkassay-exports-") as name:
        folder = pathlib.Path(name)
        case = Case(program, made_up(folder))
        for form, check in CHECKS.items():
            out = folder / f"out.{form}"
            subprocess.run([sys.executable, SCRIPT, form, case.path, "--out", out, "--program", program], check=True)
            check(out, case)
        check_calls(program, case.path, folder)
    print(f"exports.py: {len(CHECKS)} forms as expected")


if __name__ == "__main__":
    main(*sys.argv[1:])
