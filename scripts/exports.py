#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes results in forms of other programs.

Records are those of the results, which may be JSON or lines, also compressed. Rates, shares of the peak and the best
shape of each case are columns of `vkassay export --format csv`.
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


# ---- the forms

Form = collections.namedtuple("Form", "write meaning many", defaults=(False,))
FORMS = {
    "sql": Form(sql, "SQL for SQLite or PostgreSQL: tables of results and of points", True),
    "openmetrics": Form(openmetrics, "OpenMetrics (Prometheus) text: times and shares of the peak of cases, points by status",
                        True),
    "trace": Form(trace, "Chrome and Perfetto trace: wall time of the run, point by point"),
    "gbench": Form(gbench, "google-benchmark JSON, for its compare.py: points that were timed"),
    "bencher": Form(bencher, "Bencher Metric Format: latency and rate of cases by their best shape"),
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
        epilog="forms:\n" + "".join(f"  {name:12} {form.meaning}\n" for name, form in FORMS.items()))
    parser.add_argument("form", choices=FORMS, metavar="FORM")
    parser.add_argument("results", nargs="+", metavar="RESULT")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="default: standard output")
    parser.add_argument("--program", help="default: the vkassay beside this script")
    options = parser.parse_args()
    form = FORMS[options.form]
    if len(options.results) > 1 and not form.many:
        parser.error(f"a file of form {options.form} holds one result")
    program = options.program or next((str(path) for path in PROGRAMS if path.exists()), "vkassay")
    sys.stdout.reconfigure(encoding="utf-8")
    results = []
    for path in options.results:
        try:
            results.append(Result(path, program))
        except (OSError, ValueError) as error:
            sys.exit(f"exports.py: {path}: {error}")
    try:
        write(options.out, form.write(results))
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"exports.py: {error}")


if __name__ == "__main__":
    main()
