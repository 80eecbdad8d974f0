#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the data that gnuplot gets for each chart, and compares every number with the records of result.json.

usage: charts_check.py FOLDER (with result.json, charts.gp and data/)
"""
import collections
import json
import math
import pathlib
import re
import statistics
import sys

FAMILIES = {"elementwise": ("add",), "activation": ("gelu_tanh",), "movement": ("copy", "transpose"),
            "normalisation": ("softmax", "rmsnorm"), "matrix": ("matmul",), "convolution": ("conv2d",)}
PEAKS = 20e9, 80e9  # of the fixture: bytes and operations a second


def close(a, b, digits=5):
    return math.isclose(a, b, rel_tol=10 ** -digits, abs_tol=1e-12)


def figure(record, name):
    return record.get("time", {}).get(name, {}).get("median_ns", math.nan)


def timed(record):
    return record["status"] == "pass" and "compute" in record.get("time", {})


def compute(record):
    return figure(record, "compute") if timed(record) else math.nan


def shape_of(record):
    x, y, z = record["shape"]["wg"]
    words = f"{x}" + (f"x{y}" if y > 1 or z > 1 else "") + (f"x{z}" if z > 1 else "")
    others = [f"{k}={v:g}" for k, v in record["shape"].items() if k != "wg"]
    return words + (" " + ",".join(others) if others else "")


def without_signs(title):
    return re.sub(r"[*†‡§¶!]+", "", title).strip()


class Records:
    """The records by operator, kernel and case, each in their first order."""

    def __init__(self, records):
        self.kernels = collections.OrderedDict()
        for record in records:
            key = record["operator"], record["kernel"], record["dtype"]
            cases = self.kernels.setdefault(key, collections.OrderedDict())
            cases.setdefault(tuple(record["dims"].items()), []).append(record)
        for key, cases in self.kernels.items():
            self.kernels[key] = sorted(cases.values(), key=lambda case: math.prod(case[0]["dims"].values()))

    def of_operator(self, operator):
        return {key: cases for key, cases in self.kernels.items() if key[0] == operator}

    def file_of(self, kind, key):
        first = next(k for k in self.kernels if k[1] == key[1])
        return f"{kind}-{key[1]}" + ("" if first == key else f"-{key[2]}")


def best(case):
    return min((r for r in case if timed(r)), key=compute, default=None)


def largest(cases):
    return next((case for case in reversed(cases) if best(case)), None)


class Charts:
    def __init__(self, folder):
        self.folder = folder
        self.settings = {}
        for section in (folder / "charts.gp").read_text().split("\nreset\n")[1:]:
            values = dict(re.findall(r"^(\w+)=(.*)$", section, re.M))
            for axis, ticks in re.findall(r"^set ([xy])tics \((.*)\)$", section, re.M):
                values[axis + "tics"] = {float(at): label for label, at in re.findall(r"'([^']*)' ([-\d.e+]+)", ticks)}
            self.settings[values["name"].strip("'")] = values
        self.unread = set(self.settings)

    def data(self, name):
        self.unread.discard(name)
        return (self.folder / "data" / f"{name}.dat").read_text()

    def number(self, name, setting):
        return float(self.settings[name][setting])

    def blocks(self, name):
        """Yields the title and the rows of numbers of each block. A row is None between two lines of a block."""
        for block in self.data(name).split("\n\n\n"):
            if block.strip():
                title, *rows = block.strip("\n").split("\n")
                yield title.strip().strip('"'), [[float(n) for n in row.split()] if row else None for row in rows]


def check_ulp(charts, records, operator):
    name = f"ulp-{operator}"
    number = lambda value: math.inf if value in ("inf", "Infinity", None) else float(value)
    share = lambda check: number(check["worst_ulp"]) / check["bound_ulp"] if check["bound_ulp"] else 0
    checked = [r for cases in records.of_operator(operator).values() for case in cases for r in case
               if r["status"] in ("pass", "fail") and "check" in r]
    record = max(checked, key=lambda r: share(r["check"]))
    if sum(count > 0 for count in record["check"]["histogram"]) < 2: # one bar
        assert name not in charts.settings
        return
    rows = [[int(n) for n in line.split()] for line in charts.data(name).splitlines()]
    assert rows == [[i, count] for i, count in enumerate(record["check"]["histogram"])]
    assert charts.number(name, "most") == max(record["check"]["histogram"])
    edges = charts.settings[name]["xtics"]
    assert edges[0.0] == "0" and edges[6.5] == "1" and edges[4.5] == "0.25" and edges[14.5] == "256" and len(edges) == 8
    bound = number(record["check"]["bound_ulp"])
    if bound > 0.03125:
        assert close(charts.number(name, "bound"), 6.5 + math.log2(bound))
    else:
        assert charts.number(name, "bound") == 0.5


def position(cases, case):
    """Returns the place of a case on the axis of sizes: the dims that vary if they are equal, else the bytes."""
    names = [n for n in cases[0][0]["dims"] if len({c[0]["dims"][n] for c in cases}) > 1]
    equal = all(len({c[0]["dims"][n] for n in names}) == 1 for c in cases)
    return case[0]["dims"][names[0]] if equal else next(r["cost"]["bytes"] for r in case if r["cost"]["bytes"])


def is_joined(cases):
    """Returns whether the axis has one dim, or two sizes differ in one dim or in equal dims."""
    dims = [case[0]["dims"] for case in cases]
    differing = lambda a, b: [(a[n], b[n]) for n in a if a[n] != b[n]]
    return any(len(set(differing(a, b))) == 1 for a in dims for b in dims)


def check_time(charts, records, key):
    name, cases = records.file_of("time", key), records.kernels[key]
    drawn = collections.Counter()
    top, styles = largest(cases), charts.settings[name]["styles"].strip("'").split()
    for title, rows in charts.blocks(name):
        title = without_signs(title)
        shape = title.split(":")[0]
        points = {position(cases, case): r for case in cases for r in case if shape_of(r) == shape and timed(r)}
        rows = [row for row in rows if row]
        assert len(rows) == len(points), (name, title)
        for size, median, low, high in rows:
            time = points[size]["time"]["compute"]
            assert all(map(close, (median, low, high), (time[key] for key in ("median_ns", "lo_ns", "hi_ns")))), (name, title)
        found = next(r for r in top if shape_of(r) == shape)
        named = title.partition(": ")[2].split(", ") if ": " in title else []
        wanted = ["best"] * (found is best(top)) + ["default"] * found["default"]
        wanted += found["systems"].split(",") if found["systems"] else []
        assert named == wanted, (name, title, wanted)
        drawn[shape] += 1
    assert set(drawn) == {shape_of(r) for r in top if timed(r)} and set(drawn.values()) == {1}
    assert charts.number(name, "others") + charts.number(name, "marked") == len(drawn)
    assert len(styles) == charts.number(name, "marked") and styles[-1] == "1"


def losses(cases, pick):
    """Returns the loss of a choice at each size with at least two timed shapes."""
    with_choice = [case for case in cases if sum(map(timed, case)) >= 2]
    picked = [(position(cases, case), pick(case), best(case)) for case in with_choice]
    return {size: compute(record) / compute(fastest) for size, record, fastest in picked if record and timed(record)}


def of_shape(shape):
    return lambda case: next((r for r in case if shape_of(r) == shape), None)


def check_regret(charts, records, key):
    name, cases = records.file_of("regret", key), records.kernels[key]
    with_choice = [case for case in cases if sum(map(timed, case)) >= 2]
    shapes = [s for s in dict.fromkeys(shape_of(r) for case in cases for r in case)
              if all(timed(r) for case in with_choice for r in case if shape_of(r) == s)
              and all(of_shape(s)(case) for case in with_choice)
              and not any(r["status"] not in ("pass", "skip") for case in cases for r in case if shape_of(r) == s)]
    worst = {shape: max(losses(cases, of_shape(shape)).values()) for shape in shapes}
    highest, met = 1, set()
    for title, rows in charts.blocks(name):
        rows = {size: loss for size, loss in filter(None, rows)}
        highest = max(highest, *rows.values())
        for word in without_signs(title).split(" = "):
            if word.startswith("pick "):
                assert close(max(rows.values()), min(worst.values()), 4), (name, title)
                expected = losses(cases, of_shape(word[5:]))
            elif word == "default":
                expected = losses(cases, lambda case: next((r for r in case if r["default"]), None))
            elif word in ("64", "256") and len({math.prod(r["shape"]["wg"]) for r in cases[0]}) == len(cases[0]):
                of_count = lambda case: next((r for r in case if math.prod(r["shape"]["wg"]) == int(word)), None)
                expected = losses(cases, of_count)
            else:
                continue
            met.add(word.split()[0])
            assert set(rows) == set(expected), (name, title)
            assert all(close(rows[size], expected[size], 4) for size in rows), (name, title, rows, expected)
    assert {"pick", "default"} <= met, (name, met)
    assert close(charts.number(name, "y_hi"), 1.04 * max(highest, 1.1), 4)


def check_shapes(charts, name, case):
    least, settings = compute(best(case)), charts.settings[name]
    label_of = lambda r: r["status"] if r["status"] != "pass" else f"{compute(r) / least:.3g}"
    lines = charts.data(name).splitlines()
    if 'map.gp' in settings.get("template", "") or "columns" in settings:
        fields = {}
        for line in lines:
            row = re.fullmatch(r'(\d+) (\d+) (\S+) "(.*)" ([01])', line)
            fields[settings["xtics"][float(row[1])], settings["ytics"][float(row[2])]] = row
        assert charts.number(name, "columns") == len(settings["xtics"])
        assert charts.number(name, "rows") == len(settings["ytics"])
        second = 1 if len({r["shape"]["wg"][1] for r in case}) > 1 else None
        for record in case:
            x, y = record["shape"]["wg"][:2]
            if second is None:
                continue
            row = fields[str(x), str(y)]
            assert (row[5] == "1") == (record is best(case)), (name, row)
            loss = compute(record) / least
            assert (row[3] == "NaN" and math.isnan(loss)) or close(float(row[3]), loss, 3), (name, row)
            assert row[4].startswith(label_of(record)[:3]), (name, row, label_of(record))
        return
    assert len(lines) == len(case)
    for at, (line, record) in enumerate(zip(lines, case)):
        row = re.fullmatch(r'(\d+) (\S+) "(.*)" "(.*)" (\d)', line)
        loss = compute(record) / least
        systems = record["systems"]
        assert int(row[1]) == at and close(float(row[2]), 0 if math.isnan(loss) else min(loss, 8), 3), (name, line)
        assert row[3].startswith(label_of(record)[:3]), (name, line, label_of(record))
        assert row[4] == shape_of(record) + (f" ({systems})" if systems else ""), (name, line)
        if record is best(case):
            assert row[5] == "1", (name, line)
        else:
            assert row[5] in ("2", "3" if systems else "0"), (name, line)


def check_roofline(charts, records):
    memory, fma = PEAKS
    points = []
    for (_, kernel, dtype), cases in records.kernels.items():
        for record in filter(None, map(best, cases)):
            if record["cost"]["flops"] > 0:
                work, traffic = record["cost"]["flops"], record["cost"]["bytes"]
                points.append((work / traffic, work / compute(record) * 1e9, f"{kernel} {dtype}"))
    find = lambda x, y: [name for a, b, name in points if close(a, x) and close(b, y)]
    limit = lambda end: charts.number("roofline", end)
    inside = lambda axis, value: limit(axis + "_lo") < value < limit(axis + "_hi")
    # As a share of the axis without its margins of 5 % at both ends.
    share = lambda axis, value: 1.1 * math.log(value) / math.log(limit(axis + "_hi") / limit(axis + "_lo"))
    places = []
    blocks = list(charts.blocks("roofline"))
    roofs, families, outliers = (int(charts.number("roofline", n)) for n in ("roofs", "families", "outliers"))
    assert len(blocks) == 1 + roofs + families + outliers and roofs == 1 and outliers >= 1
    title, ((x0, y0), (x1, y1)) = blocks[0]
    assert title == "memory" and close(y0 / x0, memory) and close(y1 / x1, memory) and close(y1, fma)
    title, ((x0, y0), (x1, y1)) = blocks[1]
    assert title == "f32 multiply-add" and close(x0, fma / memory) and x1 > x0
    assert y0 == y1 and close(y0, fma)
    drawn = [row for _, rows in blocks[2:2 + families] for row in rows]
    assert len(drawn) == len(points)
    assert all(any(close(a, x) and close(b, y) for a, b in drawn) for x, y, _ in points)
    for at, (title, ((x, y, left, top, number),)) in enumerate(blocks[2 + families:], 1):
        assert number == at and title in [f"{at} {name}" for name in find(x, y)], title
        assert inside("x", left) and inside("y", top)
        # A number is one or two steps from its point: 3 % of the x axis, 6 % of the y axis.
        places.append((share("x", left), share("y", top)))
        steps = abs(places[-1][0] - share("x", x)) / 0.03, abs(places[-1][1] - share("y", y)) / 0.06
        assert any(all(close(step, wanted, 3) for step, wanted in zip(steps, (across, up)))
                   for across in range(3) for up in range(3) if across + up), (title, steps)
        assert all(abs(a - places[-1][0]) > 0.0299 or abs(b - places[-1][1]) > 0.0599 for a, b in places[:-1]), title
    units = [{label.split()[-1][-4:] for label in charts.settings["roofline"][axis].values()} for axis in ("xtics", "ytics")]
    assert units[1] == {"OP/s"} and not any("/s" in unit for unit in units[0]), units
    for x, y, _ in points:
        assert inside("x", x) and inside("y", y)


def share_of_roof(record):
    memory, fma = PEAKS
    by_bytes = record["cost"]["flops"] / record["cost"]["bytes"] <= fma / memory
    return record["cost"]["bytes" if by_bytes else "flops"] / compute(record) * 1e9 / (memory if by_bytes else fma)


def check_card(charts, records):
    """A bar is the geometric mean of the shares of a family, of each operator's and type's fastest at the largest size."""
    for line in charts.data("card-report").splitlines():
        _, part, bad, family, figure = re.fullmatch(r'(\d+) (\S+) (\d) "(.*)" "(.*)% of the roof"', line).groups()
        fastest = {}
        for (operator, _, dtype), cases in records.kernels.items():
            if operator in FAMILIES[family]:
                record = best(largest(cases))
                fastest[operator, dtype] = min(fastest.get((operator, dtype), record), record, key=compute)
        expected = statistics.geometric_mean(map(share_of_roof, fastest.values()))
        assert close(float(part), expected, 4) and abs(float(figure) - 100 * expected) <= 0.5 and bad == "0", line


TITLES = {"time": "time against size", "regret": "loss of one shape", "shapes": "slowdown by shape",
          "ulp": "errors and their bound"}


def check_titles(charts, records):
    """A chart's title names the kernel or operator of its file, and the dtype."""
    for name, settings in charts.settings.items():
        kind, _, rest = name.partition("-")
        if kind not in TITLES:
            continue
        title, = re.fullmatch(r"'([^']*)'", settings["title"]).groups() # one line
        named, _, words = title.partition(": ")
        owner = re.sub(r"-(f16|f32|size\d+)", "", rest)
        owners = [key for key in records.kernels if owner in key[:2]]
        name_of = 1 if kind == "ulp" or owner in {key[1] for key in owners} else 0
        found = [key for key in owners if [key[name_of], key[2]] == named.split()[:2]]
        assert found and words.startswith(TITLES[kind]), (name, title)


def main(folder):
    folder = pathlib.Path(folder)
    result = json.loads((folder / "result.json").read_text())
    charts, records = Charts(folder), Records(result["records"])
    kernels = [key for key in records.kernels if len(records.kernels[key]) > 1]
    assert len(kernels) >= 10
    check_titles(charts, records)
    check_roofline(charts, records)
    check_card(charts, records)
    for operator in dict.fromkeys(key[0] for key in records.kernels):
        check_ulp(charts, records, operator)
    for key in kernels:
        drawn = {records.file_of(kind, key) in charts.settings for kind in ("time", "regret")}
        assert drawn == {is_joined(records.kernels[key])}, key
        if True in drawn:
            check_time(charts, records, key)
            check_regret(charts, records, key)
    for key, cases in records.kernels.items():
        for at, case in enumerate(cases, 1):
            last = case is largest(cases)
            if sum(map(timed, case)) >= (1 if last else 3):
                check_shapes(charts, records.file_of("shapes", key) + ("" if last else f"-size{at}"), case)
    assert not charts.unread, f"charts without a check: {sorted(charts.unread)}"


if __name__ == "__main__":
    main(*sys.argv[1:])
