#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares exports with their result, using only readers of the standard library.

usage: export_check.py FOLDER     FOLDER holds result.json, and out.NAME for every format"""

import collections
import csv
import itertools
import json
import math
import pathlib
import re
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


def check_csv(path, result):
    raw = path.read_bytes()
    lines = raw.split(b"\r\n")
    assert len(lines) == len(result["records"]) + 2 and not lines[-1] and b"\n" not in b"".join(lines)
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert len(rows) == len(result["records"])
    best = {record["name"] for record in best_of_cases(result).values()}
    assert best and best == {row["name"] for row in rows if row["best"] == "true"}
    for row, record in zip(rows, result["records"]):
        assert row["best"] in ("true", "false")
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


def check_markdown(path, result):
    """Reads the tables: each line has the cells of its heading. A call to see it again follows each wrong point."""
    text = path.read_text(encoding="utf-8")
    lines, width = text.split("\n"), 0
    for line in lines:
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert not width or not cells or cells == width, line
        width = cells
    assert {f"    {r['replay']}" for r in result["records"] if element_of(r) in ("failure", "error")} <= set(lines)


CHECKS = {"junit": check_junit, "csv": check_csv, "markdown": check_markdown, "summary": check_summary,
          "annotations": check_annotations}


def main(folder):
    folder = pathlib.Path(folder)
    formats = {path.name.removeprefix("out.") for path in folder.glob("out.*")}
    assert formats == set(CHECKS), f"formats without a reader, or readers without a format: {formats ^ set(CHECKS)}"
    for name, check in CHECKS.items():
        check(folder / f"out.{name}", json.loads((folder / "result.json").read_text(encoding="utf-8")))


if __name__ == "__main__":
    main(*sys.argv[1:])
