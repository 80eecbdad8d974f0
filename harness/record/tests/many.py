# SPDX-License-Identifier: Apache-2.0
"""Makes a result of many records from a small one: many.py SOURCE COUNT OUT [--by dim|shape] [--from I] [--trim] [--lines]

Record i is the source's record i mod its count, under a new name: the first dim of its case is raised beyond all
others, or with `--by shape` the z of its workgroup. Raw samples are spread evenly around the median. `--from` starts at another record,
so two files make shards. `--trim` omits raw samples. `--lines` writes each sample on a line.
"""
import argparse
import json
import re


def raw(figure, lines):
    n, median = figure["samples"], figure["median_ns"]
    values = [repr(round(median * (1 + (k - n / 2) / (50 * n)), 6)) for k in range(n)]
    pad = "\n" + " " * 12
    return "[" + pad + ("," + pad).join(values) + "\n          ]" if lines else "[" + ", ".join(values) + "]"


def template(record, args):
    """Returns the record's text with marks for changes: (text with @NAME@ and @RAISED@, name with @RAISED@, value)."""
    record = json.loads(json.dumps(record))
    name = record["name"]
    if args.by == "shape":
        value = record["shape"]["wg"][2]
        named = re.sub(r"/wg=(\d+)x(\d+)x(\d+)", r"/wg=\1x\2x@RAISED@", name)
        record["shape"]["wg"][2] = "@RAISED@"
    else:
        dim = next(iter(record["dims"]))
        value = record["dims"][dim]
        named = re.sub(r"/%s=[^,/]*" % dim, "/%s=@RAISED@" % dim, name, count=1)
        record["dims"][dim] = "@RAISED@"
    if "case" in record:
        record["case"] = named[: named.index("/wg=")]
    record["name"], record["replay"] = "@NAME@", (record["replay"] or "").replace(name, "@NAME@")
    pieces = {}
    for figure in () if args.trim else record.get("time") or {}:
        key = "@RAW-%s@" % figure
        pieces['"%s"' % key] = raw(record["time"][figure], args.lines)
        record["time"][figure]["raw_ns"] = key
    text = json.dumps(record, indent=2).replace("\n", "\n    ").replace('"@RAISED@"', "@RAISED@")
    for key, samples in pieces.items():
        text = text.replace(key, samples)
    return text, named, value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("count", type=int)
    parser.add_argument("out")
    parser.add_argument("--by", choices=("dim", "shape"), default="dim")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--trim", action="store_true")
    parser.add_argument("--lines", action="store_true")
    args = parser.parse_args()
    with open(args.source, encoding="utf-8") as file:
        result = json.load(file)
    records = [r for r in result.pop("records") if "/wg=" in r["name"] and not r.get("peak") and r["dims"]]
    templates = [template(r, args) for r in records]
    step = 1 + max(int(value) for _, _, value in templates)  # no raised name is another record's
    result.pop("counts", None)
    with open(args.out, "w", encoding="utf-8") as out:
        out.write(json.dumps(result, indent=2)[:-2] + ',\n  "records": [\n')
        for i in range(args.first, args.first + args.count):
            text, named, value = templates[i % len(templates)]
            raised = str(int(value) + i // len(templates) * step)
            name = named.replace("@RAISED@", raised)
            end = ",\n" if i + 1 < args.first + args.count else "\n"
            out.write("    " + text.replace("@RAISED@", raised).replace("@NAME@", name) + end)
        out.write("  ]\n}\n")


if __name__ == "__main__":
    main()
