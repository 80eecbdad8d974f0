#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads each form of exports.py as its consumer does, and compares the figures with the result: exports_check.py PROGRAM

SQLite loads SQL. The parser of Prometheus' own client (python3-prometheus-client) and promtool (prometheus) read
OpenMetrics, compare.py (libbenchmark-tools) the form of google-benchmark, and Kernel Tuner its cache files. A consumer
that is missing is not run.
"""
import collections
import csv
import importlib.util
import io
import itertools
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
SPACES = ROOT / "reports/examples/nvidia-h200/spaces.json.gz"
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


def check_github_benchmark(path, case):
    """Reads a file as customSmallerIsBetter does: a list of name, unit and value, with range and extra as text."""
    entries = {entry["name"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))}
    assert case.best and set(entries) == set(case.best)
    for name, (record, row) in case.best.items():
        entry, time = entries[name], record["time"]["compute"]
        assert (entry["unit"], entry["value"]) == ("ns", time["median_ns"])
        assert re.match(f"shape {'x'.join(map(str, record['shape']['wg']))}( |,|\n)", entry["extra"]), entry["extra"]
        shapes = [other for other in case.result["records"] if other["case"] == name and other["status"] == "pass"
                  and "compute" in other.get("time", {})]
        assert (f", the best of {len(shapes)} timed" in entry["extra"]) == (len(shapes) > 1)
        assert row["device"] in entry["extra"]
        assert ("range" in entry) == (time["samples"] > 1)
        if "range" in entry:
            half = float(re.fullmatch(r"± (\S+)", entry["range"])[1])
            assert math.isclose(half, (time["hi_ns"] - time["lo_ns"]) / 2, rel_tol=0.01)


MEMBERS = {"General": dict, "ConfigurationSpace": dict, "Search": dict, "KernelSpecification": dict}
SPECIFICATION = {"Language": str, "KernelName": str, "KernelFile": str, "GlobalSize": dict, "LocalSize": dict,
                 "Arguments": list}
TUNER_TIMES = {"compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time", "timestamp"}


def holds(value, members):
    for name, kind in members.items():
        assert isinstance(value[name], kind), (name, value)


def check_space(path, cache):
    """Reads a T1 input file and its cache. Returns whether the space is constrained.

    The shapes that the conditions allow must be those of the cache: in simulation, an allowed shape missing from the
    cache is an error, and a cached one not allowed is lost."""
    t1 = json.loads(path.read_text())
    holds(t1, MEMBERS)
    holds(t1["KernelSpecification"], SPECIFICATION)
    assert all(some == sorted(some) for some in cache["tune_params"].values())
    space, names = t1["ConfigurationSpace"], cache["tune_params_keys"]
    assert [one["Name"] for one in space["TuningParameters"]] == names == list(cache["tune_params"])
    for one in space["TuningParameters"]:
        assert one["Type"] == "int" and json.loads(one["Values"]) == cache["tune_params"][one["Name"]]
    for condition in space["Conditions"]:
        words = set(re.findall(r"[A-Za-z_]\w*", condition["Expression"])) - {"and", "or"}
        assert words == set(condition["Parameters"]) <= set(names), condition
    assert cache["restrictions"] == [condition["Expression"] for condition in space["Conditions"]]
    there = {tuple(map(int, key.split(","))) for key, line in cache["cache"].items() if line["time"] != "InvalidConfig"}
    combined = [*itertools.product(*cache["tune_params"].values())]
    allowed = {values for values in combined
               if all(eval(text, {}, dict(zip(names, values))) for text in cache["restrictions"])}
    assert allowed == there, (path.name, sorted(allowed ^ there)[:5])
    return len(allowed) < len(combined)


def tuner_times(record):
    compute = exports.compute(record)
    return [ns / 1e6 for ns in compute.get("raw_ns") or [compute["median_ns"]]] if compute else []


def check_kernel_tuner(folder, case):
    """Reads the members needed by kernel_tuner.util.read_cache and its simulation runner."""
    failed = {"skip": "InvalidConfig", "error": "CompilationFailedConfig"}
    found, constrained = {}, 0
    for path in sorted(folder.glob("*.t1.json")):
        text = (folder / json.loads(path.read_text())["KernelSpecification"]["SimulationInput"]).read_text()
        assert text.endswith("}}}")  # otherwise the file counts as cut short
        cache = json.loads(text)
        constrained += check_space(path, cache)
        for key, line in cache["cache"].items():
            assert TUNER_TIMES <= set(line) and line["benchmark_time"] >= sum(line.get("times", [])) * 0.99
            assert key == ",".join(str(line[name]) for name in cache["tune_params_keys"])
            found[cache["kernel_name"], tuple(cache["problem_size"]), path.name, key] = line
    assert len(found) == len(case.result["records"]) and {path.suffix for path in folder.iterdir()} == {".json"}
    lines = collections.defaultdict(list)
    for (kernel, size, _, key), line in found.items():
        lines[kernel, size, key].append(line)
    for record in case.result["records"]:
        key = ",".join(map(str, [*record["shape"]["wg"], *(v for n, v in record["shape"].items() if n != "wg")]))
        size, times = tuple(int(value) for value in record["dims"].values()), tuner_times(record)
        time = exports.compute(record)["median_ns"] / 1e6 if times else failed.get(record["status"], "RuntimeFailedConfig")
        assert any(line["time"] == time and line.get("times", []) == times for line in lines[record["kernel"], size, key])
    if not importlib.util.find_spec("kernel_tuner"):
        needs.not_run("missing: a Python with kernel_tuner")
    else:
        from kernel_tuner.util import read_cache
        for path in folder.glob("*.t1.json"):
            read_cache(str(path).replace(".t1.json", ".json"))
    return constrained


def check_t4(folder, case):
    said = {"pass": "correct", "fail": "correctness", "skip": "constraints", "error": "compile", "timeout": "timeout",
            "crash": "runtime", "device-lost": "runtime"}
    found = []
    for path in folder.iterdir():
        whole = json.loads(path.read_text())
        assert whole["schema_version"] == "1.0.0"
        found += whole["results"]
    for one in found:
        times = one["times"]["runtimes"]
        assert one["correctness"] == (one["invalidity"] == "correct") == bool(times) == bool(one["measurements"])
        assert all(measured["unit"] == "ms" for measured in one["measurements"]) and one["objectives"] == ["time"]
    def facts(sizes, invalidity, times): return [*sizes], invalidity, times
    wanted = [facts(r["shape"]["wg"], said[r["status"]], tuner_times(r)) for r in case.result["records"]]
    assert sorted(wanted) == sorted(facts((one["configuration"][f"block_size_{axis}"] for axis in "xyz"),
                                          one["invalidity"], one["times"]["runtimes"]) for one in found)


def check_spaces(folder):
    """Exports the published spaces, of which 12 of 39 are constrained."""
    case = collections.namedtuple("Spaces", "result")(exports.recorded(json.loads(packed.read(SPACES))))
    for form, check in ("kernel-tuner", check_kernel_tuner), ("t4", check_t4):
        subprocess.run([sys.executable, SCRIPT, form, SPACES, "--out", folder / form], check=True, stdout=subprocess.DEVNULL)
        assert check(folder / form, case) in (12, None)
    assert len(list((folder / "kernel-tuner").iterdir())) == 2 * len(list((folder / "t4").iterdir())) == 78


def check_calls(program, path, folder):
    """Checks the refusals, and the program's answer to a form of the script."""
    def run(*words):
        return subprocess.run([sys.executable, SCRIPT, *words, "--program", program], capture_output=True, text=True)
    assert run("parquet", path).returncode == 2
    assert run("gbench", path, path).returncode == 2 and "holds one result" in run("gbench", path, path).stderr
    assert run("t4", path).returncode == 2 and "--out" in run("t4", path).stderr
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
          "bencher": check_bencher, "github-benchmark": check_github_benchmark, "kernel-tuner": check_kernel_tuner, "t4": check_t4}


def main(program):
    program = str(pathlib.Path(program).resolve())
    assert set(CHECKS) == set(exports.FORMS), "each form has a reader"
    with tempfile.TemporaryDirectory(prefix="vkassay-exports-") as name:
        folder = pathlib.Path(name)
        case = Case(program, made_up(folder))
        for form, check in CHECKS.items():
            out = folder / f"out.{form}"
            subprocess.run([sys.executable, SCRIPT, form, case.path, "--out", out, "--program", program], check=True,
                           stdout=subprocess.DEVNULL)
            check(out, case)
        check_spaces(folder)
        check_calls(program, case.path, folder)
    print(f"exports.py: {len(CHECKS)} forms as expected")


if __name__ == "__main__":
    main(*sys.argv[1:])
