#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes results in forms of other programs.

Records are those of the results, which may be JSON or lines, also compressed. Rates, shares of the peak and the best
shape of each case are columns of `vkassay export --format csv`. Forms of other tuners have files of each case, in the
folder --out; recorded spaces (`vkassay tune --simulate --out`) are read too.
"""
import argparse
import collections
import csv
import functools
import io
import itertools
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

import packed

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = [HERE / "run", HERE / "vkassay", HERE.parent / "build/vkassay"]  # of a bundle, an installation, a tree
STATUSES = "pass", "fail", "skip", "error", "timeout", "crash", "device-lost", "compiled"


class Result:
    """A result, and its rows of CSV."""

    def __init__(self, path, program):
        self.path, self.program = path, program
        self.whole = packed.result(path)
        if isinstance(self.whole, dict) and "spaces" in self.whole:
            self.whole = recorded(self.whole)
        if not isinstance(self.whole, dict) or not {"records", "device", "run"} <= set(self.whole):
            raise ValueError("expected a result of vkassay")
        self.records, self.device, self.run = (self.whole[name] for name in ("records", "device", "run"))

    @functools.cached_property
    def rows(self):
        done = subprocess.run([self.program, "export", self.path, "--format", "csv"], stdout=subprocess.PIPE, check=True)
        return list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))

    @property
    def best(self):
        """Returns the row of the best shape of each case."""
        return [row for row in self.rows if row["best"] == "true"]

    @property
    def suite(self):
        """Returns the suite and, within a profile of limits, this too."""
        return self.rows[0]["suite"] if self.rows else self.run.get("suite") or ""

    @property
    def started(self):
        return self.run.get("started") or "1970-01-01T00:00:00Z"

    @property
    def driver(self):
        return f"{self.device['driver_name']} {self.device['driver_info']}"

    @property
    def unit(self):
        """Returns what tells the device from others of its model."""
        device, host = self.device, self.whole.get("host", {})
        if device["kind"] == "cpu" and host.get("cpu"):
            return f"{host['cpu']}, {host['cores']} cores"
        known = [device.get("device_uuid", "").strip("0") and device["device_uuid"], device.get("pci")]
        return next((unit for unit in known if unit and device["kind"] != "cpu"), device["name"])


def compute(record):
    """Returns the summary of compute times; None for a point without."""
    return (record.get("time") or {}).get("compute") if record["status"] == "pass" else None


def name_of_case(name):
    return name.rpartition("/wg=")[0] or name


def numbers(text):
    """Reads "rows=512,cols=1024"."""
    pairs = (pair.split("=") for pair in text.split(",") if pair)
    return {name: float(value) if re.search("[.en]", value) else int(value) for name, value in pairs}


def recorded(spaces):
    """Returns recorded spaces as a result, as far as they have its data: names, shapes, samples and wrong shapes."""
    records = []
    for space, one in ((space, one) for space in spaces["spaces"] for one in space["shapes"]):
        kernel, _, dims = space["case"].split("/", 2)
        size, _, others = one["shape"].removeprefix("wg=").partition(",")
        samples = one["samples_ns"]
        time = {"compute": {"raw_ns": samples, "samples": len(samples), "median_ns": statistics.median(samples or [0])}}
        records.append({"name": f"{space['case']}/{one['shape']}", "case": space["case"], "kernel": kernel,
                        "dims": numbers(dims), "shape": {"wg": [*map(int, size.split("x"))], **numbers(others)},
                        "status": "fail" if one.get("wrong") else "pass", "time": time if samples else None})
    return {"device": {"name": spaces["device"]}, "run": {}, "records": records}


# ---- SQL for SQLite, PostgreSQL, and MySQL with ANSI quotes. Files of several results go into one database.

TABLES = {"vkassay_results": "result TEXT PRIMARY KEY, device TEXT, driver TEXT, suite TEXT, seed TEXT, started TEXT, "
                             "version TEXT, revision TEXT",
          "vkassay_points": "result TEXT, name TEXT, case_name TEXT, operator TEXT, kernel TEXT, dtype TEXT, status TEXT, "
                            "reason TEXT, max_ulp DOUBLE PRECISION, bound_ulp DOUBLE PRECISION, "
                            "compute_median_ns DOUBLE PRECISION, compute_lo_ns DOUBLE PRECISION, "
                            "compute_hi_ns DOUBLE PRECISION, compute_samples BIGINT, upload_ns DOUBLE PRECISION, "
                            "download_ns DOUBLE PRECISION, end_to_end_ns DOUBLE PRECISION, rate DOUBLE PRECISION, "
                            "rate_unit TEXT, rate_of_peak DOUBLE PRECISION"}


def sql_text(text):
    """Returns a constant, without control characters that readers refuse."""
    text = re.sub("[\x00-\x08\x0b-\x1f]", "", text or "").replace("'", "''")
    return f"'{text}'" if text else "NULL"


def sql_point(key, row):
    checked = row["checked"] not in ("", "0")
    texts = [key, row["name"], name_of_case(row["name"]),
             *(row[name] for name in ("operator", "kernel", "dtype", "status", "reason"))]
    numbers = [row[name] if checked else "" for name in ("max_ulp", "bound_ulp")]
    numbers += [row[f"compute_{name}"] for name in ("median_ns", "lo_ns", "hi_ns")] + [row["compute_samples"] or "0"]
    numbers += [row[f"{name}_median_ns"] for name in ("upload", "download", "end_to_end")] + [row["rate"]]
    return [*map(sql_text, texts), *(number or "NULL" for number in numbers), sql_text(row["rate_unit"]),
            row["rate_of_peak"] or "NULL"]


def sql(results):
    yield "BEGIN;\n"
    for table, columns in TABLES.items():
        yield f"CREATE TABLE IF NOT EXISTS {table} ({columns});\n"
    for result in results:
        run, device, tool = result.run, result.device, result.whole.get("tool", {})
        key = "/".join([device["name"], device["driver_info"], result.suite, run.get("started") or "", result.unit])
        for table in reversed(TABLES):  # rows of this run on this unit, from an earlier file
            yield f"DELETE FROM {table} WHERE result = {sql_text(key)};\n"
        facts = [key, device["name"], result.driver, result.suite, run["seed"], run.get("started"), tool.get("version"),
                 tool.get("git")]
        yield f"INSERT INTO vkassay_results VALUES ({', '.join(map(sql_text, facts))});\n"
        for row in result.rows:
            yield f"INSERT INTO vkassay_points VALUES ({', '.join(sql_point(key, row))});\n"
    yield "COMMIT;\n"


# ---- OpenMetrics text, for a node exporter's textfile collector or a push gateway. These read the older Prometheus text
# format, so no type of metric is used that only OpenMetrics has, such as info.

GAUGES = (("vkassay_compute_seconds", "seconds", "Median compute time of the best shape of a case.", "compute_median_ns",
           1e-9),
          ("vkassay_compute_low_seconds", "seconds", "Lower end of the 95 % interval of that median.", "compute_lo_ns",
           1e-9),
          ("vkassay_compute_high_seconds", "seconds", "Upper end of the 95 % interval of that median.", "compute_hi_ns",
           1e-9),
          ("vkassay_peak_ratio", "ratio", "Share of the device's measured peak.", "rate_of_peak", 1))


def labels(**values):
    def escaped(value):
        return re.sub("[\x00-\x09\x0b-\x1f]", "", re.sub(r'([\\"])', r"\\\1", str(value))).replace("\n", "\\n")
    return "{" + ",".join(f'{name}="{escaped(value)}"' for name, value in values.items()) + "}"


def openmetrics(results):
    models = collections.defaultdict(set)
    for result in results:
        models[result.device["vendor_id"], result.device["device_id"], result.device["name"]].add(result.unit)
    yield "# TYPE vkassay_device_info gauge\n# HELP vkassay_device_info Device and driver of a result.\n"
    for number, result in enumerate(results):
        device = result.device
        more = {"unit": result.unit} if any(len(units) > 1 for units in models.values()) else {}
        if device.get("profile"):
            more["profile"] = device["profile"]["name"]
        yield "vkassay_device_info" + labels(device=number, name=device["name"], driver=device["driver_name"],
                                             driver_version=device["driver_info"], **more) + " 1\n"
    yield "# TYPE vkassay_points gauge\n# HELP vkassay_points Points by outcome.\n"
    for number, result in enumerate(results):
        count = collections.Counter(row["status"] for row in result.rows)
        for status in STATUSES:
            yield f"vkassay_points{labels(device=number, status=status)} {count[status]}\n"
    for name, unit, meaning, column, scale in GAUGES:
        yield f"# TYPE {name} gauge\n# UNIT {name} {unit}\n# HELP {name} {meaning}\n"
        for number, row in ((number, row) for number, result in enumerate(results) for row in result.best):
            point = labels(device=number, case=name_of_case(row["name"]), operator=row["operator"], kernel=row["kernel"],
                           dtype=row["dtype"])
            if row[column]:
                yield f"{name}{point} {float(row[column]) * scale!r}\n"
    yield "# EOF\n"


# ---- a trace for chrome://tracing and ui.perfetto.dev. Records have the duration of each part of a point, but no start.
# So points follow each other in the order of the result. A run with several workers was shorter than its trace.

def event(track, name, category, start_ns, ns, **more):
    start, end = start_ns / 1e3, (start_ns + ns) / 1e3  # microseconds
    length = end - start
    while start + length > end:  # viewers add them as doubles; events must not overlap
        length = math.nextafter(length, 0)
    return {"ph": "X", "pid": 1, "tid": track, "name": name, "cat": category, "ts": start, "dur": length, **more}


def trace_events(result):
    for what, track, name in (("process_name", 1, result.device["name"]), ("thread_name", 1, "points"),
                              ("thread_name", 2, "parts of their time")):
        yield {"ph": "M", "pid": 1, "tid": track, "name": what, "args": {"name": name}}
    now = 0
    for record in result.records:
        parts = {name.removesuffix("_ns"): ns for name, ns in (record.get("wall") or {}).items() if ns > 0}
        if not parts:
            continue
        facts = {"status": record["status"], **({"reason": record["reason"]} if record.get("reason") else {})}
        times = (record.get("time") or {}).get("compute")
        if times:
            facts.update(compute_median_ns=times["median_ns"], samples=times["samples"])
        yield event(1, record["name"], record["status"], now, sum(parts.values()), args=facts)
        for name, ns in parts.items():
            yield event(2, name, "part", now, ns)
            now += ns


def trace(results):
    yield '{"traceEvents":['
    for number, one in enumerate(trace_events(results[0])):
        yield ("," if number else "") + json.dumps(one, separators=(",", ":"))
    yield '],"displayTimeUnit":"ms"}\n'


# ---- google-benchmark's JSON, for its tools/compare.py, which matches benchmarks by name and compares real_time and
# cpu_time. Both are the kernel's time. Points without a time are omitted, because compare.py cannot read such entries.

def benchmarks(record, index):
    """Yields the repetitions of a point and their aggregates. The samples may have been trimmed."""
    times, cost = compute(record), record.get("cost") or {}
    samples, common = times.get("raw_ns") or [], {"family_index": index, "per_family_instance_index": 0,
                                                  "run_name": record["name"], "repetitions": times["samples"], "threads": 1}
    for number, ns in enumerate(samples):
        rates = {f"{what}_per_second": cost[what] / ns * 1e9 for what in ("bytes", "flops") if cost.get(what) and ns}
        yield {"name": record["name"], **common, "run_type": "iteration", "repetition_index": number,
               "iterations": record.get("repeats") or 1, "real_time": ns, "cpu_time": ns, "time_unit": "ns", **rates}
    aggregates = {"mean": statistics.fmean(samples)} if samples else {}
    aggregates["median"] = times["median_ns"]
    if len(samples) > 1:
        aggregates["stddev"] = statistics.stdev(samples)
    for kind, ns in aggregates.items():
        yield {"name": f"{record['name']}_{kind}", **common, "run_type": "aggregate", "aggregate_name": kind,
               "aggregate_unit": "time", "iterations": times["samples"], "real_time": ns, "cpu_time": ns, "time_unit": "ns"}


def gbench(results):
    """Writes unmeasured values as google-benchmark does: a clock of 0 MHz, no caches, no load."""
    (result,) = results
    run = result.run
    context = {"date": re.sub("Z$", "+00:00", run.get("started") or ""), "host_name": "localhost", "executable": "vkassay",
               "num_cpus": result.whole.get("host", {}).get("cores", 1), "mhz_per_cpu": 0, "cpu_scaling_enabled": False,
               "caches": [], "load_avg": [], "library_version": result.whole.get("tool", {}).get("version", ""),
               "library_build_type": "release", "json_schema_version": 1, "device": result.device["name"],
               "driver": result.driver, "suite": result.suite, "seed": run["seed"]}
    yield f'{{\n  "context": {json.dumps(context)},\n  "benchmarks": ['
    ending = "\n    "
    for index, record in enumerate(filter(compute, result.records)):
        for one in benchmarks(record, index):
            yield ending + json.dumps(one)
            ending = ",\n    "
    yield "\n  ]\n}\n"


# ---- Bencher Metric Format (bencher.dev, adapter "json"). Limits are the 95 % interval of the median.

def bencher(results):
    found = {}
    for row in results[0].best:
        median, low, high = (float(row[f"compute_{name}"]) for name in ("median_ns", "lo_ns", "hi_ns"))
        measures = found.setdefault(name_of_case(row["name"])[:1024], {})
        measures["latency"] = {"value": median, "lower_value": low, "upper_value": high}
        if row["rate"]:
            rate = float(row["rate"])
            measures["bytes_per_second" if row["rate_unit"] == "B/s" else "operations_per_second"] = {
                "value": rate, "lower_value": rate * median / high, "upper_value": rate * median / (low or median)}
    yield json.dumps(found, indent=2) + "\n"


# ---- github-action-benchmark, tool "customSmallerIsBetter". A case has one name, whatever its best shape is. A case
# without a time has no entry: the run's exit status reports failures.

def github_benchmark(results):
    (result,) = results
    device, entries = result.device, []
    timed = collections.Counter(name_of_case(row["name"]) for row in result.rows
                                if row["status"] == "pass" and row["compute_median_ns"])
    for row in result.best:
        case = name_of_case(row["name"])
        shape = row["name"][len(case) + len("/wg="):].replace(",", " ")
        several = f", the best of {timed[case]} timed" if timed[case] > 1 else ""
        half = (float(row["compute_hi_ns"]) - float(row["compute_lo_ns"])) / 2
        entries.append({"name": case, "unit": "ns", "value": float(row["compute_median_ns"]),
                        **({"range": f"± {half:.3g}"} if int(row["compute_samples"]) > 1 else {}),
                        "extra": f"shape {shape}{several}\n"
                                 f"{device['name']}, {device['driver_name']} {device['driver_info']}"})
    yield json.dumps(entries, indent=2, ensure_ascii=False) + "\n"


# ---- spaces for other tuners, with times in milliseconds. T4 results follow the schema of the T4 auto-tuning format,
# version 1.0.0. Cache files of Kernel Tuner follow its schema/cache/1.0.0, and the needs of util.read_cache and the
# simulation runner. Each has a T1 input file (version 1.0.0) beside it. Both are only for simulations.

MS = 1e6  # in nanoseconds
INVALIDITY = {"pass": "correct", "fail": "correctness", "skip": "constraints", "compiled": "constraints",
              "error": "compile", "timeout": "timeout", "crash": "runtime", "device-lost": "runtime"}
FAILURES = {"skip": "InvalidConfig", "error": "CompilationFailedConfig"}


def tunables(record):
    """Returns the workgroup under Kernel Tuner's own names, then the other tunables."""
    sizes = zip(("block_size_x", "block_size_y", "block_size_z"), record["shape"]["wg"])
    return {**dict(sizes), **{name: value for name, value in record["shape"].items() if name != "wg"}}


def durations(record):
    """Returns a record's times of compiling, running and judging, and its samples."""
    times = compute(record)
    samples = (times.get("raw_ns") or [times["median_ns"]]) if times else []
    ran = times["median_ns"] * times["samples"] * max(record.get("repeats") or 0, 1) if times else 0
    judged = (record.get("wall") or {}).get("judge_ns", 0)
    return (record.get("build_ns") or 0) / MS, ran / MS, judged / MS, [ns / MS for ns in samples]


def t4(result, records, _):
    results = []
    for record in records:
        built, ran, judged, samples = durations(record)
        measured = [{"name": "time", "value": compute(record)["median_ns"] / MS, "unit": "ms"}] if samples else []
        results.append({"timestamp": result.started, "configuration": tunables(record),
                        "times": {"compilation_time": built, "benchmark": ran, "framework": 0, "search_algorithm": 0,
                                  "validation": judged, "runtimes": samples},
                        "invalidity": INVALIDITY[record["status"]], "correctness": int(record["status"] == "pass"),
                        "measurements": measured, "objectives": ["time"]})
    return {".json": {"results": results, "schema_version": "1.0.0"}}


def cache_line(result, record):
    built, ran, judged, samples = durations(record)
    time = {"time": compute(record)["median_ns"] / MS, "times": samples} if samples else {
        "time": FAILURES.get(record["status"], "RuntimeFailedConfig")}
    return {**tunables(record), **time, "compile_time": built, "verification_time": judged, "benchmark_time": ran,
            "strategy_time": 0, "framework_time": 0, "timestamp": result.started}


def restrictions(records, values):
    """Returns conditions that only the recorded shapes fulfil, without those that the device refused."""
    legal = [tunables(record) for record in records if record["status"] != "skip"]
    used = [name for name, some in values.items() if legal and len(some) > 1] or [*values][:1]
    if len(legal) == math.prod(map(len, values.values())):
        return []
    ways = (" and ".join(f"{name} == {one[name]}" for name in used) for one in legal)
    return [{"Expression": " or ".join(f"({way})" for way in ways) or f"{used[0]} < 0", "Parameters": used}]


def kernel_tuner(result, records, file):
    first, shapes = records[0], [*map(tunables, records)]
    values = {name: sorted({one[name] for one in shapes}) for name in shapes[0]}
    size, conditions = [int(value) for value in first["dims"].values()], restrictions(records, values)
    cache = {",".join(map(str, one.values())): cache_line(result, record) for one, record in zip(shapes, records)}
    kernel = {"Language": "Vulkan", "KernelName": first["kernel"], "KernelFile": first["kernel"], "SimulationInput": file,
              "GlobalSizeType": "Vulkan", "GlobalSize": {axis: "1" for axis in "XYZ"},  # unknown here
              "LocalSize": {axis.upper(): f"block_size_{axis}" for axis in "xyz"}, "ProblemSize": size,
              "Device": {"Name": result.device["name"]}, "Arguments": []}
    t1 = {"General": {"FormatVersion": 1, "TimeUnit": "Milliseconds", "OutputFormat": "JSON"},
          "ConfigurationSpace": {"TuningParameters": [{"Name": name, "Type": "int", "Values": json.dumps(some)}
                                                      for name, some in values.items()], "Conditions": conditions},
          "Search": {"Name": "brute_force"}, "KernelSpecification": kernel}
    # Kernel Tuner's reader expects the file to end in "}}}", so the cache comes last and nothing is indented.
    return {".json": {"schema_version": "1.0.0", "device_name": result.device["name"], "kernel_name": first["kernel"],
                      "problem_size": size, "tune_params_keys": list(values), "tune_params": values,
                      "restrictions": [one["Expression"] for one in conditions], "objective": "time", "cache": cache},
            ".t1.json": t1}


def write_cases(folder, form, result):
    cases, files = collections.defaultdict(list), 0
    for record in result.records:
        cases[record["case"]].append(record)
    folder.mkdir(parents=True, exist_ok=True)
    for case, records in cases.items():
        # "softmax.cached_f32_rows-512_cols-1024"; other characters are replaced, because names are untrusted
        name = re.sub("[^A-Za-z0-9.=]|^[.]", "_", case).replace("=", "-")
        for ending, whole in form.write(result, records, f"{name}.json").items():
            write(folder / f"{name}{ending}", [json.dumps(whole)])
            files += 1
    print(f"Wrote {files} files to {folder}")


# ---- the forms

Form = collections.namedtuple("Form", "write meaning many folder", defaults=(False, False))
FORMS = {
    "sql": Form(sql, "SQL for SQLite or PostgreSQL: tables of results and of points", True),
    "openmetrics": Form(openmetrics, "OpenMetrics (Prometheus) text: times and shares of the peak of cases, points by status",
                        True),
    "trace": Form(trace, "Chrome and Perfetto trace: wall time of the run, point by point"),
    "gbench": Form(gbench, "google-benchmark JSON, for its compare.py: points that were timed"),
    "bencher": Form(bencher, "Bencher Metric Format: latency and rate of cases by their best shape"),
    "github-benchmark": Form(github_benchmark, "github-action-benchmark JSON (customSmallerIsBetter): cases by their best shape"),
    "kernel-tuner": Form(kernel_tuner, "Kernel Tuner cache files of every shape, each with a T1 input file", folder=True),
    "t4": Form(t4, "T4 auto-tuning results: every shape with its times", folder=True),
}


def write(path, pieces):
    """Writes a file at once, or standard output."""
    if not path:
        sys.stdout.writelines(pieces)
        return
    unfinished = path.with_name(path.name + ".part")
    with open(unfinished, "w", encoding="utf-8") as file:
        file.writelines(pieces)
    os.replace(unfinished, path)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="forms:\n" + "".join(f"  {name:16} {form.meaning}\n" for name, form in FORMS.items()))
    parser.add_argument("form", choices=FORMS, metavar="FORM")
    parser.add_argument("results", nargs="+", metavar="RESULT")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="a folder for files of each case; default: standard output")
    parser.add_argument("--program", help="default: the vkassay beside this script")
    options = parser.parse_args()
    form = FORMS[options.form]
    if len(options.results) > 1 and not form.many:
        parser.error(f"a file of form {options.form} holds one result")
    if form.folder and not options.out:
        parser.error(f"form {options.form} has files of each case: name their folder with --out")
    program = options.program or next((str(path) for path in PROGRAMS if path.exists()), "vkassay")
    sys.stdout.reconfigure(encoding="utf-8")
    results = []
    for path in options.results:
        try:
            results.append(Result(path, program))
        except (OSError, ValueError) as error:
            sys.exit(f"exports.py: {path}: {error}")
    try:
        if form.folder:
            write_cases(options.out, form, results[0])
        else:
            write(options.out, form.write(results))
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"exports.py: {error}")


if __name__ == "__main__":
    main()
