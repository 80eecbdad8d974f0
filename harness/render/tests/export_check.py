#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares exports with their result, using only readers of the standard library.

usage: export_check.py FOLDER     FOLDER holds result.json, and out.NAME for every format

OpenMetrics is read by the parser of Prometheus' own client (python3-prometheus-client), and by promtool (prometheus), if
they are installed."""

import collections
import csv
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
import xml.etree.ElementTree

FIGURES = ["compute", "upload", "download", "host_write", "host_read", "submit", "end_to_end", "mapped_write", "mapped_read"]


def without_controls(text):
    """Returns the text without characters forbidden in XML: controls other than tab and line end, U+FFFE, U+FFFF."""
    return re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]", "", text)


def element_of(record):
    """Returns the JUnit element of a record, from its status and its expectation."""
    status, expected = record["status"], record.get("expected", {}).get("status")
    flaky = record.get("attempts", {}).get("flaky", False)
    if status == "skip" or (status == expected and not flaky) or (status != "pass" and expected == "flake"):
        return "skipped"
    if status == "pass":
        return None if expected in (None, "flake", "skip") else "failure"
    if flaky and expected:
        return "failure"
    return "failure" if status == "fail" else "error"


def check_junit(path, result):
    root = xml.etree.ElementTree.parse(path).getroot()
    (suite,) = root.findall("testsuite")
    cases, records = suite.findall("testcase"), result["records"]
    assert len(cases) == len(records) == int(suite.get("tests"))
    counts = {"failure": 0, "error": 0, "skipped": 0}
    for case, record in zip(cases, records):
        assert case.get("name") == without_controls(record["name"]), case.get("name")
        assert case.get("classname") == record["kernel"]
        assert abs(float(case.get("time")) - sum(record["wall"].values()) * 1e-9) < 0.5001e-3
        expected = element_of(record)
        assert [child.tag for child in case] == ([expected] if expected else []), (record["name"], expected)
        if not expected:
            continue
        counts[expected] += 1
        assert case[0].get("message").endswith(without_controls(record["reason"] or record["expected"]["reason"]))
        if record["status"] != "skip":
            assert "replay: " + without_controls(record["replay"]) in case[0].text
    assert counts["failure"] and counts["error"] and counts["skipped"]
    for element, attribute in ("failure", "failures"), ("error", "errors"), ("skipped", "skipped"):
        assert int(suite.get(attribute)) == counts[element]


# Columns of CSV, with their places in a record where these have other names.
CHECKED = ["max_ulp", "worst_ulp", "bound_ulp", "p99_ulp", "mean_ulp", "nmse", "checked", "elements", "excluded", "failures",
           "same_bits", "guards_intact", "inputs_intact", "output_hash"]
TIMING = "repeats", "stop", "cache", "clock", "drift", "throttled"
PLACES = {**{key: ["check", key] for key in CHECKED},
          **{key: ["check", "policy", key] for key in ("rte", "specials", "denorms")},
          **{f"spread_{key}": ["check", "spread", key] for key in ("runs", "lo", "hi")},
          **{f"worst_{key}": ["check", "worst", key] for key in ("operand", "index", "got", "want")},
          **{key: [key] for key in ("default", "systems", "peak", "build_ns", "source_hash", "subgroup_size")},
          **{key: [key] for key in TIMING},
          **{f"reference_{key}": ["reference", key] for key in ("ns", "max_ulp", "extrapolated", "scale")},
          **{key: ["cost", key] for key in ("flops", "bytes", "upload_bytes", "download_bytes")},
          **{key: ["wall", key] for key in ("compile_ns", "judge_ns")},
          "expected": ["expected", "status"]}
PEAKS = {"copy_bytes_per_s": 20e9, "fma_f32_flops_per_s": 80e9}  # of the fixture


def driver_of(result):
    return f"{result['device']['driver_name']} {result['device']['driver_info']}"


def number(cell):
    return None if cell == "" else float(cell)


def same_cell(cell, record, places):
    value = record
    for key in places:
        value = value.get(key) if value else None
    if isinstance(value, bool):
        return cell == str(value).lower()
    if isinstance(value, (int, float)):
        return cell != "" and math.isclose(float(cell), value, rel_tol=1e-15)
    if places == ["clock"] and value == "host":
        return cell == f"host: {record['clock_why']}"
    return cell == (value or "") or (places == ["reference", "scale"] and cell == "0" and value is None)


def rate_of(record):
    """Returns rate, unit, share of the peak, and the peak: of bytes, unless the work reaches the ridge of 4 a byte.

    More than the peak of memory is a cache's, and no cache was measured."""
    seconds, cost = record["time"]["compute"]["median_ns"] * 1e-9, record["cost"]
    known = record["dtype"] == "f32"  # only its arithmetic is known
    by_bytes = cost["bytes"] and cost["flops"] / cost["bytes"] <= (4 if known else 10)
    peak = "copy_bytes_per_s" if by_bytes else "fma_f32_flops_per_s"
    rate = cost["bytes" if by_bytes else "flops"] / seconds
    if by_bytes and rate > PEAKS[peak]:
        return rate, "B/s", None, ""
    return rate, "B/s" if by_bytes else "FLOP/s", rate / PEAKS[peak], peak


def is_close(found, expected):
    return found == expected or (found is not None and expected is not None and math.isclose(found, expected))


def is_timed(record):
    return record["status"] == "pass" and "compute" in record.get("time", {})


def check_csv(path, result):
    raw = path.read_bytes()
    lines = raw.split(b"\r\n")
    assert len(lines) == len(result["records"]) + 2 and not lines[-1] and b"\n" not in b"".join(lines)
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert len(rows) == len(result["records"])
    for row, record in zip(rows, result["records"]):
        assert None not in row and None not in row.values(), "a line is longer or shorter than the heading"
        for key in "operator", "kernel", "dtype", "status":
            assert row[key] == record[key]
        for key in "name", "reason", "replay":
            assert row[key] == re.sub("[\x00-\x1f\x7f]", " ", record[key] or "")
        dims = {key[5:]: float(cell) for key, cell in row.items() if key.startswith("dims.") and cell}
        assert dims == {key: float(value) for key, value in record["dims"].items()}
        shape = {key[6:]: float(cell) for key, cell in row.items() if key.startswith("shape.") and cell}
        wg = {f"wg_{axis}": size for axis, size in zip("xyz", record["shape"].pop("wg"))}
        assert shape == {**wg, **record["shape"]}
        check = record.get("check", {})
        for key in "max_ulp", "worst_ulp", "bound_ulp", "p99_ulp", "mean_ulp", "nmse", "checked", "elements", "failures":
            assert number(row[key]) == check.get(key), (record["name"], key)
        for key in "used_bytes", "peak_bytes":
            assert number(row[key]) == (record.get("memory") or {}).get(key), (record["name"], key)
        for figure in FIGURES:
            summary = record.get("time", {}).get(figure, {})
            for key in "median_ns", "lo_ns", "hi_ns", "q1_ns", "q3_ns", "min_ns", "max_ns", "samples":
                assert number(row[f"{figure}_{key}"]) == summary.get(key), (record["name"], figure, key)
        for key, places in PLACES.items():
            if key in TIMING and "compute" not in record.get("time", {}):
                assert row[key] == "", (record["name"], key)
            elif places[0] != "check" or check.get("checked"):
                assert same_cell(row[key], record, places), (record["name"], key, row[key])
        worst_inputs = check.get("worst", {}).get("inputs", {}) if check.get("checked") else {}
        assert row["worst_inputs"] == " ".join(f"{name}={value}" for name, value in worst_inputs.items())
        assert row["flaky"] == str(record.get("attempts", {}).get("flaky", False)).lower()
        context = result["run"]
        assert (row["device"], row["suite"], row["seed"]) == (result["device"]["name"], context["suite"], context["seed"])
        assert row["driver"] == f"{result['device']['driver_name']} {result['device']['driver_info']}"
        if is_timed(record) and record["cost"]["bytes"]:
            rate, unit, share, peak = rate_of(record)
            assert (row["rate_unit"], row["rate_peak"]) == (unit, peak), record["name"]
            assert is_close(float(row["rate"]), rate) and is_close(number(row["rate_of_peak"]), share)


def comparable(entries):
    """Reads a file as compare.py does: by name, in one time unit, both times in every entry."""
    found = {}
    for entry in entries:
        assert "time_unit" in entry and "real_time" in entry and "cpu_time" in entry
        assert entry["run_type"] in ("iteration", "aggregate") and entry["time_unit"] == "ns"
        assert entry["run_type"] == "iteration" or entry["aggregate_name"]
        found.setdefault(entry["name"], []).append(entry)
    return found


def check_gbench(path, result):
    file = json.loads(path.read_text(encoding="utf-8"))
    for key in ("date", "host_name", "num_cpus", "mhz_per_cpu", "cpu_scaling_enabled", "caches",
                "library_build_type"):
        assert key in file["context"]
    context, run = file["context"], result["run"]
    assert context["date"] == run["started"].removesuffix("Z") + "+00:00"
    assert (context["num_cpus"], context["library_version"]) == (result["host"]["cores"], result["tool"]["version"])
    assert (context["device"], context["driver"]) == (result["device"]["name"], driver_of(result))
    assert (context["suite"], context["seed"]) == (run["suite"], run["seed"])
    found = comparable(file["benchmarks"])
    timed = [r for r in result["records"] if r["status"] == "pass" and "compute" in r.get("time", {})]
    assert timed and {e["run_name"] for e in file["benchmarks"]} == {r["name"] for r in timed}
    sampled = 0
    for family, record in enumerate(timed):
        compute, name = record["time"]["compute"], record["name"]
        samples = compute.get("raw_ns", [])
        sampled += len(samples) > 1
        repetitions = found.get(name, [])
        assert [e["real_time"] for e in repetitions] == samples == [e["cpu_time"] for e in repetitions]
        assert [e["repetition_index"] for e in repetitions] == list(range(len(samples)))
        assert all(e["repetitions"] == compute["samples"] and e["family_index"] == family for e in repetitions)
        aggregates = {"median": compute["median_ns"]}
        if samples:
            aggregates["mean"] = statistics.fmean(samples)
        if len(samples) > 1:
            aggregates["stddev"] = statistics.stdev(samples)
        for kind in "median", "mean", "stddev":
            entries = found.get(f"{name}_{kind}", [])
            assert len(entries) == (kind in aggregates)
            for entry in entries:
                assert entry["run_type"] == "aggregate" and entry["aggregate_name"] == kind
                assert math.isclose(entry["real_time"], aggregates[kind], rel_tol=1e-12)
    assert sampled


def check_github_benchmark(path, result):
    """Reads a file as customSmallerIsBetter does: a list of name, unit and value, with range and extra as text."""
    entries = json.loads(path.read_text(encoding="utf-8"))
    best = {}
    for record in result["records"]:
        if record["status"] == "pass" and "compute" in record.get("time", {}):
            case, compute = record["name"].rsplit("/wg=", 1)[0], record["time"]["compute"]
            best.setdefault(case, []).append((compute["median_ns"], compute, record["shape"]["wg"]))
    assert best and len(entries) == len(best) and {entry["name"] for entry in entries} == set(best)
    for entry in entries:
        assert set(entry) - {"range"} == {"name", "unit", "value", "extra"} and entry["unit"] == "ns"
        shapes = best[entry["name"]]
        most = max(compute["samples"] for _, compute, _ in shapes)
        enough = 10 if most >= 10 else (most + 1) // 2  # few samples can be fast by luck
        assert entry["value"] == min(ns for ns, compute, _ in shapes if compute["samples"] >= enough)
        (named,) = re.findall(r"^shape (\d+(?:x\d+)*)", entry["extra"])
        compute, size = next((c, wg) for ns, c, wg in shapes
                             if ns == entry["value"] and math.prod(map(int, named.split("x"))) == math.prod(wg))
        assert f"best of {len(shapes)} timed" in entry["extra"] or len(shapes) == 1
        assert result["device"]["name"] in entry["extra"]
        assert ("range" in entry) == (compute["samples"] > 1)
        if "range" in entry:
            half = float(re.fullmatch(r"± (\S+)", entry["range"])[1])
            assert math.isclose(half, (compute["hi_ns"] - compute["lo_ns"]) / 2, rel_tol=6e-3, abs_tol=1e-300)


def best_of_cases(result):
    """Returns the record of the best shape of each case, by the program's rule."""
    best = {}
    for record in result["records"]:
        if is_timed(record):
            best.setdefault(record["name"].rsplit("/wg=", 1)[0], []).append(record)
    samples, median = (lambda r, key=key: r["time"]["compute"][key] for key in ("samples", "median_ns"))
    for case, records in best.items():
        most = max(map(samples, records))
        enough = 10 if most >= 10 else (most + 1) // 2
        best[case] = min((r for r in records if samples(r) >= enough), key=median)
    return best


def check_bencher(path, result):
    """Reads a file as bencher's adapter "json" does: names with measures, each a value with limits (all numbers)."""
    found, best = json.loads(path.read_text(encoding="utf-8")), best_of_cases(result)
    assert best and set(found) == set(best)
    for name, measures in found.items():
        assert len(name) <= 1024 and "latency" in measures
        for measure, metric in measures.items():
            assert set(metric) == {"value", "lower_value", "upper_value"}, measure
            assert metric["lower_value"] <= metric["value"] <= metric["upper_value"]
        latency, time = measures["latency"], best[name]["time"]["compute"]
        rated = set(measures) - {"latency"}
        assert len(rated) == bool(best[name]["cost"]["bytes"])
        for measure in rated:
            rate, unit, _, _ = rate_of(best[name])
            assert measure == ("bytes_per_second" if unit == "B/s" else "operations_per_second")
            limits = [rate * time["median_ns"] / time[end] for end in ("median_ns", "hi_ns", "lo_ns")]
            found_limits = [measures[measure][key] for key in ("value", "lower_value", "upper_value")]
            assert all(map(math.isclose, found_limits, limits)), name
        assert (latency["value"], latency["lower_value"], latency["upper_value"]) == (
            time["median_ns"], time["lo_ns"], time["hi_ns"])


def check_openmetrics(path, result):
    text = path.read_text(encoding="utf-8")
    assert text.endswith("# EOF\n")
    if shutil.which("promtool"):  # status 1: refused; 3: a matter of style
        said = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
        assert said.returncode == 0, said.stderr
    try:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
    except ImportError:
        print("the parser of OpenMetrics was not tried: python3-prometheus-client is not installed")
        return
    families = {family.name: family for family in text_string_to_metric_families(text)}
    # The node exporter and the push gateway read the Prometheus text format, version 0.0.4, and refuse other types.
    types = re.findall("^# TYPE ([^ ]+) ([^ ]+)$", text, re.MULTILINE)
    assert {kind for _, kind in types} <= {"counter", "gauge", "histogram", "summary", "untyped"}, types
    best = best_of_cases(result)
    medians = {sample.labels["case"]: sample.value for sample in families["vkassay_compute_seconds"].samples}
    assert families["vkassay_compute_seconds"].unit == "seconds" and set(medians) == set(best)
    for family, key in ("", "median_ns"), ("_low", "lo_ns"), ("_high", "hi_ns"):
        values = {s.labels["case"]: s.value for s in families[f"vkassay_compute{family}_seconds"].samples}
        assert all(math.isclose(values[case], r["time"]["compute"][key] * 1e-9) for case, r in best.items()), key
    ratios = {sample.labels["case"]: sample.value for sample in families["vkassay_peak_ratio"].samples}
    assert set(ratios) == {case for case, r in best.items() if r["cost"]["bytes"] and rate_of(r)[2]}
    assert all(math.isclose(ratio, rate_of(best[case])[2]) for case, ratio in ratios.items())
    for sample in families["vkassay_compute_seconds"].samples:
        labels = {key: best[sample.labels["case"]][key] for key in ("operator", "kernel", "dtype")}
        assert sample.labels == {**labels, "case": sample.labels["case"], "device": "0"}
    (device,) = families["vkassay_device_info"].samples
    labels = {"name": "name", "driver": "driver_name", "driver_version": "driver_info"}
    assert all(device.labels[label] == result["device"][key] for label, key in labels.items())
    points = {sample.labels["status"]: sample.value for sample in families["vkassay_points"].samples}
    for status in points:
        assert points[status] == sum(r["status"] == status for r in result["records"])


def check_trace(path, result):
    """Reads a file as the viewers do: complete events in microseconds; events of one track never overlap."""
    trace = json.loads(path.read_text(encoding="utf-8"))
    events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    assert events and {e["ph"] for e in trace["traceEvents"]} == {"X", "M"}
    for event in trace["traceEvents"]:
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int) and event["name"]
    for track in 1, 2:
        end = 0
        for event in sorted((e for e in events if e["tid"] == track), key=lambda e: e["ts"]):
            assert event["ts"] >= end and event["dur"] > 0
            end = event["ts"] + event["dur"]
    points = [e for e in events if e["tid"] == 1]
    walls = {r["name"]: sum(r["wall"].values()) / 1e3 for r in result["records"] if sum(r.get("wall", {}).values())}
    assert {p["name"] for p in points} == set(walls)
    assert all(math.isclose(p["dur"], walls[p["name"]], abs_tol=1e-6) for p in points if list(walls).count(p["name"]) == 1)
    timed = [r for r in result["records"] if sum(r.get("wall", {}).values())]
    for point, record in zip(points, timed):
        assert (point["name"], point["cat"]) == (record["name"], record["status"])
        given, compute = dict(point["args"]), record.get("time", {}).get("compute", {})
        assert (given.pop("status"), given.pop("reason", None)) == (record["status"], record.get("reason"))
        assert given == {name: compute[key] for name, key in (("compute_median_ns", "median_ns"), ("samples", "samples"))
                         if compute}, record["name"]
    parts = [(key.removesuffix("_ns"), ns / 1e3) for r in timed for key, ns in r["wall"].items() if ns]
    found = [(e["name"], e["dur"]) for e in events if e["tid"] == 2]
    assert [name for name, _ in found] == [name for name, _ in parts]
    assert all(math.isclose(a, b, abs_tol=1e-6) for (_, a), (_, b) in zip(found, parts))


def check_annotations(path, result):
    """Reads a line as a runner does: ::error PROPERTIES::MESSAGE, escaped as by @actions/core."""
    lines = path.read_text(encoding="utf-8").splitlines()
    wrong = {(r["kernel"], r["dtype"]) for r in result["records"] if r["status"] not in ("pass", "skip")}
    told = set()
    unescape = lambda text: re.sub("%([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), text)
    for line in lines:
        command, properties, message = re.fullmatch(r"::(error|warning) ([^:]*)::(.*)", line).groups()
        given = dict(pair.split("=", 1) for pair in properties.split(","))
        assert set(given) <= {"file", "line", "title"} and given["title"]
        assert "line" not in given or int(given["line"]) >= 1
        kernel, dtype = unescape(given["title"]).split(":")[0].rsplit(" ", 1)
        told.add((kernel, dtype))
        record = next(r for r in result["records"] if (r["kernel"], r["dtype"]) == (kernel, dtype)
                      and unescape(message).startswith(r["name"]) and element_of(r))
        assert command == ("warning" if element_of(record) == "skipped" else "error"), message
        assert unescape(message).endswith("\n" + record["replay"])
        assert (record.get("reason") or record["expected"]["reason"]) in unescape(message)
    assert wrong <= told


def near(a, b):
    """Returns whether two numbers are equal but for the last bits, which SQLite 3.46 reads inexactly."""
    return a == b or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-14))


def unit_of(result):
    """Returns the text that tells the device from others of its model."""
    device, host = result["device"], result["host"]
    return f"{host['cpu']}, {host['cores']} cores" if device["kind"] == "cpu" else device["device_uuid"] or device["name"]


def check_sql(path, result):
    """Loads the file into SQLite twice; the second time replaces the first."""
    database = sqlite3.connect(":memory:")
    for _ in range(2):
        database.executescript(path.read_text(encoding="utf-8"))
    (count,) = database.execute("SELECT count(*) FROM vkassay_points").fetchone()
    assert count == len(result["records"])
    rows = database.execute("SELECT kernel, status, compute_median_ns FROM vkassay_points").fetchall()
    assert sorted(row[1] for row in rows) == sorted(r["status"] for r in result["records"])
    timed = [r["time"]["compute"]["median_ns"] for r in result["records"] if "compute" in r.get("time", {})]
    medians = sorted(row[2] for row in rows if row[2] is not None)
    assert len(medians) == len(timed) and all(map(near, medians, sorted(timed)))
    database.row_factory = sqlite3.Row
    key_of_result = "/".join([result["device"]["name"], result["device"]["driver_info"], result["run"]["suite"],
                              result["run"]["started"], unit_of(result)])
    for row, record in zip(database.execute("SELECT * FROM vkassay_points ORDER BY rowid"), result["records"]):
        time, check = record.get("time", {}), record.get("check", {})
        for key in "operator", "kernel", "dtype", "status":
            assert row[key] == record[key], (record["name"], key)
        assert (row["reason"] is None) == (not record.get("reason")) and row["result"] == key_of_result
        assert not row["reason"] or row["reason"][:20] == record["reason"][:20], record["name"]
        assert record["name"].startswith(row["name"][:10]) and row["name"].startswith(row["case_name"])
        for key in "max_ulp", "bound_ulp":
            assert not check.get("checked") or near(row[key], check[key]), (record["name"], key)
        for key in "median_ns", "lo_ns", "hi_ns", "samples":
            expected = time.get("compute", {}).get(key, 0 if key == "samples" else None)
            assert near(row[f"compute_{key}"], expected), (record["name"], key)
        for key in "upload", "download", "end_to_end":
            assert near(row[f"{key}_ns"], time.get(key, {}).get("median_ns")), (record["name"], key)
        if is_timed(record) and record["cost"]["bytes"]:
            rate, unit, share, _ = rate_of(record)
            assert row["rate_unit"] == unit and is_close(row["rate"], rate) and is_close(row["rate_of_peak"], share)
    (facts,) = database.execute("SELECT * FROM vkassay_results")
    device, run, tool = result["device"], result["run"], result["tool"]
    assert tuple(facts)[1:] == (device["name"], f"{device['driver_name']} {device['driver_info']}", run["suite"], run["seed"],
                                run["started"], tool["version"], tool["git"])


def size_words(record):
    """Returns the dims as people read them; with more than three, those of 1 are omitted."""
    dims = record["dims"].items()
    return " ".join(f"{name}={value:.15g}" for name, value in dims if len(dims) <= 3 or value != 1)


def shape_words(record):
    words = "x".join(map(str, record["shape"]["wg"]))
    while words.endswith("x1"):
        words = words.removesuffix("x1")
    others = ",".join(f"{name}={value:g}" for name, value in record["shape"].items() if name != "wg")
    return " ".join(filter(None, (words, others)))


def rows_below(text, heading):
    """Returns the cells of the table with this heading."""
    lines = iter(text.split("\n"))
    assert heading in lines, heading
    next(lines)
    return [[cell.strip().replace("\\", "") for cell in line.strip("|").split("|")]
            for line in itertools.takewhile(lambda line: line.startswith("|"), lines)]


def check_summary(path, result):
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) <= 65536 and text.count("<details>") == text.count("</details>") == 1
    assert f"{len(result['records'])} points: " in text
    kernels = collections.defaultdict(list)
    for record in filter(is_timed, result["records"]):
        kernels[f"{record['kernel']} {record['dtype']}", size_words(record)].append(record)
    best = {case: min(records, key=lambda r: r["time"]["compute"]["median_ns"]) for case, records in kernels.items()}
    for kernel, size, share in rows_below(text, "| furthest from the roof | size | of the roof |"):
        wanted = 100 * rate_of(best[kernel, size])[2]
        assert abs(float(share.removesuffix("%")) - wanted) <= (0.5 if wanted >= 10 else 0.05), (kernel, size)
    gains = rows_below(text, "| shapes that would gain most | size | in use | best | gain |")
    for kernel, size, used, shape, gain in gains:
        (before,) = (r for r in kernels[kernel, size] if shape_words(r) == used)
        (after,) = (r for r in kernels[kernel, size] if shape_words(r) == shape)
        factor = before["time"]["compute"]["median_ns"] / after["time"]["compute"]["median_ns"]
        assert factor > 1 and math.isclose(float(gain.removesuffix("x")), factor, rel_tol=6e-3), (kernel, size)


def main(folder):
    folder = pathlib.Path(folder)
    for name, check in ("junit", check_junit), ("csv", check_csv), ("gbench", check_gbench), \
            ("github-benchmark", check_github_benchmark), ("bencher", check_bencher), ("openmetrics", check_openmetrics), \
            ("trace", check_trace), ("annotations", check_annotations), ("sql", check_sql), ("summary", check_summary):
        check(folder / f"out.{name}", json.loads((folder / "result.json").read_text(encoding="utf-8")))


if __name__ == "__main__":
    main(*sys.argv[1:])
