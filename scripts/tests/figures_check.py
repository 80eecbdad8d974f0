#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the rules of figures.py: its refusals, comparisons and counts, and the sections of proofs.

usage: figures_check.py
"""
import base64
import gzip
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import figures  # noqa: E402
import figures_documents  # noqa: E402
import figures_numbers  # noqa: E402
import figures_peers  # noqa: E402
import figures_proofs  # noqa: E402
import figures_sources  # noqa: E402
import figures_text  # noqa: E402
import packed  # noqa: E402

SVG = "<desc>Produced by GNUPLOT {} patchlevel 4 </desc>{}"
TOOL = {"git": "abc1234"}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for module in (figures, figures_sources):
            kept = module.ROOT
            self.addCleanup(setattr, module, "ROOT", kept)
            module.ROOT = self.folder

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name


class Peers(unittest.TestCase):
    def test_the_best_right_kernel_of_a_problem_stands_against_those_who_solve_it(self):
        def record(kernel, nanoseconds, n=4, status="pass"):
            return {"operator": "add", "kernel": f"add.{kernel}", "dtype": "f32", "dims": {"n": n}, "status": status,
                    "time": {"compute": {"median_ns": nanoseconds}}}

        records = [record("slow", 4000.0), record("fast", 2000.0), record("wrong", 1.0, status="fail"),
                   record("fast", 5.0, n=5), record("fast", 4096.0, n=16777216)]
        others = {"peers": [{"name": "A"}, {"name": "B"}],
                  "times": [{"peer": "B", "operator": "add", "dtype": "f32", "dims": {"n": n}, "median_ns": time}
                            for n, time in ((4, 1500.0), (16777216, 8192.0))]}
        self.assertEqual(list(figures_peers.rows_of(records, others)),
                         [["add f32", "4", "fast", "2 us", "", "1.5 us, 0.75x"],
                          ["add f32", "5", "fast", "0.005 us", "", ""],
                          ["add f32", "16777216", "fast", "4.1 us", "", "8.19 us, 2.00x"]])

    def test_means_are_geometric_and_the_worst_problems_come_first(self):
        def record(operator, n, nanoseconds, kernel="add.fast"):
            return {"operator": operator, "kernel": kernel, "dtype": "f32", "dims": {"n": n}, "status": "pass",
                    "time": {"compute": {"median_ns": nanoseconds}}}

        def time(peer, operator, n, nanoseconds, ways=None):
            return {"peer": peer, "operator": operator, "dtype": "f32", "dims": {"n": n}, "median_ns": nanoseconds,
                    **({"ways": ways} if ways else {})}

        records = [record("add", 1, 1000.0), record("add", 2, 1000.0), record("sum", 1, 4000.0),
                   record("sum", 2, 1.0), record("sum", 1, 1.0, "sum.fast_half")]
        compiled = [{"way": "eager", "median_ns": 4000.0}, {"way": "torch.compile", "median_ns": 1000.0},
                    {"way": "channels_last", "reason": "none"}]
        eager = [{"way": "eager", "median_ns": 2000.0}]
        others = {"peers": [{"name": "PyTorch"}, {"name": "PyTorch best"}],
                  "times": [time("PyTorch", "add", 1, 4000.0), time("PyTorch best", "add", 1, 4000.0, eager),
                            time("PyTorch", "add", 2, 1000.0), time("PyTorch best", "add", 2, 1000.0, eager),
                            time("PyTorch", "sum", 1, 4000.0), time("PyTorch best", "sum", 1, 1000.0, compiled)]}
        best = figures_peers.ratios(records, others, "PyTorch best")
        self.assertEqual(
            list(figures_peers.family_rows(figures_peers.ratios(records, others, "PyTorch"), best,
                                           {"add": "elementwise", "sum": "reduction"})),
            [["elementwise", "2", "2.00x", "2.00x", "2"], ["reduction", "1", "1.00x", "0.25x", "0"],
             ["**all**", "3", "1.59x", "1.00x", "2"]])
        self.assertEqual(list(figures_peers.worst_rows(records, others, best, 2)),
                         [["sum f32", "1", "fast", "4 us", "1 us", "torch.compile", "0.25x"],
                          ["add f32", "2", "fast", "1 us", "1 us", "eager", "1.00x"]])

    def test_the_cases_of_a_suite_are_known(self):
        records = [{"operator": "matmul", "dims": {"m": m, "n": m, "k": m}} for m in (255, 256, 512)]
        records += [{"operator": "fma_chain", "dims": {"n": 4194304, "iterations": 1024}}]
        self.assertEqual(figures_peers.of_suite(records, "peers"), records[1:3])
        self.assertEqual([dict(one) for one in figures_peers.expanded({"a": [1, 2], "b": 3})],
                         [{"a": 1, "b": 3}, {"a": 2, "b": 3}])

    def test_sums_in_f16_are_no_rival_of_sums_in_f32(self):
        records = [{"operator": "matmul", "kernel": f"matmul.{name}", "dtype": "f16", "dims": {"m": 8},
                    "status": "pass", "time": {"compute": {"median_ns": time}}}
                   for name, time in (("whole", 2000.0), ("coop_half", 1000.0))]
        others = {"peers": [{"name": "A"}],
                  "times": [{"peer": "A", "operator": "matmul", "dtype": "f16", "dims": {"m": 8}, "median_ns": 500.0}]}
        self.assertEqual(list(figures_peers.rows_of(records, others)),
                         [["matmul f16", "8", "whole", "2 us", "0.5 us, 0.25x"],
                          ["matmul f16, sums f16", "8", "coop_half", "1 us", ""]])


class Results(Folder):
    def test_that_names_a_folder_of_a_machine_is_refused(self):
        made = {"tool": TOOL, "run": {"suite_file": "/home/a/suites/quick.json"}}
        with self.assertRaisesRegex(figures_sources.Refused, "a path of one machine"):
            figures.result(self.file("a.json", json.dumps(made)))

    def test_of_a_commit_is_read(self):
        self.assertEqual(figures.result(self.file("a.json", json.dumps({"tool": TOOL, "x": 1})))["x"], 1)

    def test_of_no_commit_is_refused(self):
        for tool in ({"git": "abc1234-dirty"}, {"git": "unknown"}, {"git": ""}, {}, None):
            with self.subTest(tool), self.assertRaises(figures.Refused):
                figures.result(self.file("a.json", json.dumps({"tool": tool})))
        with self.assertRaises(figures.Refused):
            figures.result(self.file("a.json", "{}"))


class Historical(Folder):
    """A result of other sources than today's is marked, and pages made from it name it."""

    def test_marks_come_and_go_and_nothing_else_changes(self):
        for text in ('{"tool":{},"run":{"suite":"quick"},"records":[]}', '{\n  "run": {\n    "suite": "quick"}}', '{"tuned": []}'):
            with self.subTest(text):
                marked = figures.remarked(text, True)
                self.assertTrue(figures_sources.historical(json.loads(marked)))
                self.assertEqual(figures.remarked(marked, True), marked)
                self.assertEqual(figures.remarked(marked, False), text)

    def test_a_mark_that_is_missing_or_too_many_is_settled(self):
        path = self.file("a.json", json.dumps({"tool": TOOL, "run": {"suite": "s"}, "records": []}))
        for names in (["add.map"], []):
            with unittest.mock.patch.object(figures, "changed", lambda _, names=names: {path: names}):
                for made, text in figures.marks(None).items():
                    made.write_text(text)
                self.assertEqual(figures_sources.historical(json.loads(path.read_text())), bool(names))
                self.assertEqual(figures.marks(None), {})

    def test_pages_name_what_is_historical(self):
        old, new = {"tool": TOOL, "run": {"historical": True}}, {"tool": TOOL, "run": {}}
        self.assertEqual(figures_sources.footnote([("a.json", new)]), "")
        self.assertIn("a.json (abc1234).", figures_sources.footnote([("a.json", old), ("b.json", new), ("a.json", old)]))

    def test_a_table_of_other_sources_than_its_result_is_seen(self):
        record = {"kernel": "add.map", "source_hash": "tokens:1"}
        self.assertTrue(figures.of_the_same_sources({"tuned": [record]}, {"records": [record]}))
        self.assertFalse(figures.of_the_same_sources({"tuned": [{**record, "source_hash": "tokens:2"}]},
                                                     {"records": [record]}))


class Comparison(Folder):
    def test_a_byte_that_differs_is_seen_and_not_written(self):
        page = self.file("page.md", "1.02x\n")
        self.assertTrue(figures.settle(page, "1.02x\n", True))
        self.assertFalse(figures.settle(page, "1.03x\n", True))
        self.assertEqual(page.read_text(), "1.02x\n")

    def test_what_is_not_there_differs(self):
        self.assertFalse(figures.settle(self.folder / "none.md", "text", True))

    def test_making_writes(self):
        page = self.file("page.md", "old")
        self.assertTrue(figures.settle(page, "new", False))
        self.assertEqual(page.read_text(), "new")

    def test_charts_of_one_version_are_compared(self):
        chart = self.file("chart.svg", SVG.format("5.4", "a"))
        self.assertFalse(figures.settle(chart, SVG.format("5.4", "b"), True))
        self.assertTrue(figures.settle(chart, SVG.format("6.0", "b"), True))

    def test_how_json_is_laid_out_and_charts_are_packed_does_not_count(self):
        table = self.file("table.json", '{"a": [\n ],\n "b": 1}')
        self.assertTrue(figures.settle(table, '{"a": [], "b": 1}', True))
        self.assertFalse(figures.settle(table, '{"a": [], "b": 2}', True))

        def page(level, version, chart):
            text = SVG.format(version, chart * 99)
            packed = base64.b64encode(zlib.compress(text.encode(), level)).decode()
            return f'<p>1</p><script type="text/plain" id="pack-ulp">{packed}</script>'

        old = self.file("page.html", page(1, "5.4", "a"))
        self.assertTrue(figures.settle(old, page(9, "5.4", "a"), True))
        self.assertFalse(figures.settle(old, page(1, "5.4", "b"), True))
        self.assertTrue(figures.settle(old, page(1, "6.0", "b"), True))


def entry(n, best, *ties):
    return {"kernel": "k", "dtype": "f32", "dims": {"n": n}, "shape": {"wg": [best, 1, 1]},
            "ties": [{"shape": {"wg": [tie, 1, 1]}} for tie in ties]}


class Tables(Folder):
    def test_same_choices_and_ties_are_counted(self):
        one = self.file("one.json", json.dumps({"tool": TOOL, "tuned": [
            entry(1, 64), entry(2, 64, 128), entry(3, 64), entry(4, 64), entry(5, 64)]}))
        other = self.file("other.json", json.dumps({"tool": TOOL, "tuned": [
            entry(1, 64, 32), entry(2, 128), entry(3, 256, 64), entry(4, 256)]}))
        self.assertEqual(figures_text.agreement(figures_text.entries(one), figures_text.entries(other)), (4, 1, 2))

    def test_cells_of_a_page_are_read(self):
        page = "<table><tr><th>kernel</th></tr><tr><td><b>add</b>.vec4</td><td>1.02x</td></tr></table>"
        self.assertEqual(figures_text.Cells(page).rows, [["kernel"], ["add.vec4", "1.02x"]])


MADE = {"tool": TOOL, "device": "D", "driver": "1", "command": ["proof.py", "x"]}
PROOFS = {
    "power": ({"effect": 1, "rows": [
        {"slowed by": slowed, "dims": "n", "us": us, "true ratio (long A/B)": 1.02, "median ratio": 1.02,
         "found slower": found, "intervals that hold it": 0.5, "faster": 0}
        for slowed, us, found in (("1 %", 100.0, 0.9), ("2 %", 100.0, 1.0), ("1 %", 10.0, 1.0))]},
        ["Above 20 us 2 % is found every time", "50 % of all runs", "| 1 % | 100 us | 1.020 | 1.020 | 90 % | 50 % |"]),
    "agreement": ({"within_3_percent_of_the_host": 1, "doubled_work_within_1_percent": 2, "rows": [
        {"us": 50.0, "ratio": 0.965, "time of 2R over R": 1.993}, {"us": 70.0, "ratio": 1.02, "time of 2R over R": 2.0}]},
        ["1 of 2", "the farthest is 0.965", "(1.993 to 2.000)"]),
    "repeatability": ({"points": 4, "below_1_percent": 3, "least_us": 20, "all": [["a", 1, 1, -1.9], ["b", 1, 1, 0.2]]},
                      ["75 %", "differs most by 1.9 %"]),
    "false-alarms": ({"rows": [{"way": "ab", "comparisons": 20, "points": 140, "slower": 0, "faster": 0, "wrong": 0,
                                "ambiguous": 117, "same": 23}]}, ["| ab | 20 | 140 | 0 | 0 | 0 | 117 | 23 |"]),
}


class Proofs(Folder):
    def test_sections_say_what_was_measured(self):
        self.addCleanup(setattr, figures_proofs, "FOLDER", figures_proofs.FOLDER)
        figures_proofs.FOLDER = self.folder
        for name, (value, says) in PROOFS.items():
            self.file(f"{name}.json", json.dumps({**MADE, **value}))
            text = figures_proofs.PARTS[name](None)
            for words in [*says, "D, 1, vkassay abc1234, `proof.py x`:"]:
                with self.subTest(name):
                    self.assertIn(words, text)


class Marks(unittest.TestCase):
    PAGE = "a\n<!-- figures: x -->\n1\n<!-- figures end -->\nb\n<!-- figures: y -->\n2\n<!-- figures end -->\n"

    def test_a_mark_that_is_gone_is_missed(self):
        self.assertIsNone(figures.ill_marked("p", self.PAGE, ["x", "y"]))
        for gone in ("<!-- figures: x -->\n", "<!-- figures end -->\n", "<!-- figures: y -->\n"):
            with self.subTest(gone):
                self.assertIn("p: expected the marks", figures.ill_marked("p", self.PAGE.replace(gone, "", 1), ["x", "y"]))
        self.assertIn("found []", figures.ill_marked("p", "a\n1\nb\n2\n", ["x", "y"]))
        self.assertIn("expected the marks []", figures.ill_marked("q", self.PAGE, []))

    def test_the_committed_pages_have_theirs(self):
        self.assertEqual(figures.check_marks(), [])


class Numbers(Folder):
    """A number with a unit outside marks is refused, unless the table names its source."""

    def test_figures_in_prose_are_found(self):
        for said, found in (("It takes 13.5 to 14.3 us.", ["13.5 to 14.3 us"]), ("1,381 us", ["1,381 us"]),
                            ("costs 13 % more", ["13 %"]), ("is 0.64x", ["0.64x"]), ("3 times as fast", ["3 times"]),
                            ("in 31 of 39 cases", ["31 of 39"]), ("a share of 0.87", ["0.87"]), ("2 GiB, 45 ns", ["2 GiB", "45 ns"]),
                            ("352 TFLOP/s", ["352 TFLOP"]), ("12\nms", ["12 ms"]), ("3 milliseconds", ["3 milliseconds"]),
                            ("15 percent slower", ["15 percent"]), ("a 5-fold gain", ["5-fold"]), ("1,979 TOP/s", ["1,979 TOP"]),
                            ("takes 700 watts", ["700 watts"])):
            with self.subTest(said):
                lines = figures_numbers.unsupported("p", said, [])
                self.assertEqual([line.split("\": ")[1].split(" is made by")[0] for line in lines], found)

    def test_what_is_no_figure_is_left(self):
        for said in ("blocks of 128 x 64", "Vulkan 1.1", "2^24 outputs", "64 of a line", "`--budget 1.5 s`", "mesa 22.3.6",
                     "```sh\nsleep 2 s\n```", "<!-- figures: x -->\n2 us\n<!-- figures end -->"):
            with self.subTest(said):
                self.assertEqual(figures_numbers.unsupported("p", said, []), [])

    def test_a_named_number_may_stay_as_it_is(self):
        entry = {"page": "p", "says": "up to 16 MiB", "source": "a.h", "holds": "PACKED = 16 << 20"}
        left = [entry]
        self.assertEqual(figures_numbers.unsupported("p", "up to\n16 MiB of it", left), [])
        self.assertEqual(left, [])
        left = [entry]
        self.assertEqual(len(figures_numbers.unsupported("p", "up to 32 MiB of it", left)), 1)
        self.assertEqual(left, [entry])

    def test_its_source_must_hold_it(self):
        entry = {"page": "p", "says": "up to 16 MiB", "source": "a.h", "holds": "PACKED = 16 << 20"}
        self.assertEqual(len(figures_numbers.ill_founded([entry], self.folder)), 1)
        self.file("a.h", "enum { PACKED =\n    16 << 20 };")
        self.assertEqual(figures_numbers.ill_founded([entry, {"says": "4 bytes", "specification": "GLSL"}], self.folder), [])
        self.file("a.h", "enum { PACKED = 32 << 20 };")
        self.assertEqual(len(figures_numbers.ill_founded([entry], self.folder)), 1)
        self.assertEqual(len(figures_numbers.ill_founded([{"says": "4 bytes"}], self.folder)), 1)


class Documents(Folder):
    """Each target of a row must exist; a row has a target or a reason."""

    def setUp(self):
        super().setUp()
        for name in ("suites", "harness/engine/plan", "reports"):
            (self.folder / name).mkdir(parents=True)
        self.file("suites/claims.json", json.dumps({"claims": [{"id": "C-A"}]}))
        self.file("suites/quick.json", "{}")
        self.file("README.md", "# a\n\n## What `it` checks, and why\n")
        self.file("harness/engine/plan/probes.c", "    PROBE(submit, free, \"k dispatches\"),\n")
        printed = {("list", "operators", "--json"): json.dumps([{"name": "add"}]),
                   ("list", "kernels", "--json"):
                       json.dumps([{"name": "add.map", "manifest": "/x/kernels/e/map.json"}]),
                   ("--help",): "  bench     check\n", ("bench", "--help"): "  --limits PROFILE  keep to it\n"}
        self.targets = figures_documents.Targets(lambda *words: printed[words], self.folder)

    def test_targets_that_there_are_become_links(self):
        for target, link in (("operator:add", "operator [add](operators.md#add)"),
                             ("kernel:add.map", "kernel [add.map](../kernels/e/map.json)"),
                             ("probe:submit.free", "probe [submit.free](../suites/README.md#probes)"),
                             ("claim:C-A", "claim [C-A](../suites/claims.json)"),
                             ("suite:quick", "suite [quick](../suites/quick.json)"),
                             ("command:bench", "[`vkassay bench`](../harness/commands/README.md#command-line)"),
                             ("option:limits", "[`--limits`](../harness/commands/README.md#command-line)"),
                             ("page:README.md#what-it-checks-and-why",
                              "[README.md](../README.md#what-it-checks-and-why)")):
            with self.subTest(target):
                self.assertEqual(self.targets.link(target), link)

    def test_a_target_that_is_gone_is_refused(self):
        for target in ("operator:sub", "kernel:add.two", "probe:submit.gone", "claim:C-B", "suite:slow", "command:tune",
                       "option:limit", "page:GONE.md", "page:README.md#else", "thing:add"):
            with self.subTest(target), self.assertRaisesRegex(figures_sources.Refused, target):
                figures_documents.cell({"names": "x", "by": ["operator:add", target]}, self.targets)

    def test_a_row_that_says_nothing_is_refused(self):
        with self.assertRaisesRegex(figures_sources.Refused, "neither"):
            figures_documents.cell({"names": "x"}, self.targets)

    def test_a_row_may_not_say_that_something_is_missing(self):
        with self.assertRaisesRegex(figures_sources.Refused, '"c" has missing; a row has by, names, reason'):
            figures_documents.cell({"names": "c", "by": ["operator:add"], "missing": "half of it"}, self.targets)

    def test_a_row_that_is_gone_is_missed_by_its_sentences(self):
        documents = [{"system": "s", "rows": [{"names": "a"}, {"names": "b"}]}]
        sentences = {"s": {"a": ["It adds."], "b": []}}
        self.assertEqual(figures_documents.uncovered(documents, sentences), [])
        del documents[0]["rows"][0]
        self.assertEqual(figures_documents.uncovered(documents, sentences), ['s: no row "a" covers ["It adds."]'])
        self.assertEqual(len(figures_documents.uncovered([], sentences)), 2)
        documents[0]["rows"] += [{"names": "a"}, {"names": "c"}, {"names": "b"}]
        self.assertEqual(figures_documents.uncovered(documents, sentences),
                         ['s: no sentence is kept for the row "c"', 's: the row "b" is there twice'])

    def test_the_committed_rows_cover_their_sentences(self):
        documents = json.loads(figures_documents.LIST.read_text())["documents"]
        sentences = json.loads(figures_documents.SENTENCES.read_text())
        self.assertEqual(figures_documents.uncovered(documents, sentences), [])
        self.assertGreater(sum(len(said) for rows in sentences.values() for said in rows.values()), 290)

    def test_rows_are_counted_by_what_is_here(self):
        rows = [{"names": "a_b", "by": ["operator:add"]}, {"names": "c", "by": ["operator:add"], "reason": "half"},
                {"names": "d", "reason": "no"}]
        text = figures_documents.text([{"system": "s", "title": "t", "rows": rows}], self.targets)
        self.assertIn("3 rows: 1 are here, 1 in part, and say what is not, 1 are not this tool's.", text)
        self.assertIn("| a\\_b | operator [add](operators.md#add) |", text)
        self.assertIn("| c | operator [add](operators.md#add); rest not this tool's: half |", text)
        self.assertIn("| d | not this tool's: no |", text)


class OnDemand(Folder):
    def test_links_lead_from_the_folder_of_the_pages(self):
        folder = self.folder / "build/pages"
        made = {"a.md": lambda _: "[x](../README.md#y), [b](b.md), (../z)", "b.md": lambda _: "b"}
        with unittest.mock.patch.object(figures, "ON_DEMAND", made):
            figures.on_demand(None, None)
            self.assertFalse(folder.exists())
            figures.on_demand(None, folder)
        self.assertEqual((folder / "a.md").read_text(), "[x](../../README.md#y), [b](b.md), (../z)")
        self.assertEqual((folder / "b.md").read_text(), "b")

    def test_a_fault_of_such_a_page_is_found_without_a_folder(self):
        def faulty(_):
            raise figures_sources.Refused("no target")
        with unittest.mock.patch.object(figures, "ON_DEMAND", {"a.md": faulty}):
            self.assertRaises(figures_sources.Refused, figures.on_demand, None, None)


class Packed(Folder):
    def test_the_same_text_gives_the_same_compressed_file(self):
        path = self.folder / "a.json.gz"
        packed.write(path, "{\"a\": \"é\"}\n" * 100)
        first = path.read_bytes()
        self.assertEqual(gzip.decompress(first).decode(), "{\"a\": \"é\"}\n" * 100)
        self.assertEqual(first[3:8], bytes(5))  # neither a name nor a time
        self.assertEqual(packed.read(path), "{\"a\": \"é\"}\n" * 100)
        packed.write(path, packed.read(path))
        self.assertEqual(path.read_bytes(), first)

    def test_the_name_decides_when_writing_and_the_content_when_reading(self):
        packed.write(self.folder / "b.json", "[1]")
        self.assertEqual((self.folder / "b.json").read_bytes(), b"[1]")
        (self.folder / "c.json").write_bytes(gzip.compress(b"[2]"))
        self.assertEqual([packed.read(self.folder / name) for name in ("b.json", "c.json")], ["[1]", "[2]"])
        self.assertEqual([packed.stem(name) for name in ("x/a.json", "a.b.json.gz", "c.md")], ["a", "a.b", "c.md"])

    def test_a_result_and_its_mark_may_be_compressed(self):
        path = self.folder / "r.json.gz"
        packed.write(path, json.dumps({"tool": TOOL, "run": {}}))
        del figures_sources.READ[:]
        self.assertEqual(figures_sources.result(path)["tool"], TOOL)
        self.assertEqual(figures_sources.READ[0][0], "r.json")
        with unittest.mock.patch("builtins.print"):
            self.assertFalse(figures.settle(path, "{}", check=True))
            self.assertTrue(figures.settle(path, "{}", check=False))
        self.assertEqual(gzip.decompress(path.read_bytes()), b"{}")


if __name__ == "__main__":
    unittest.main(verbosity=0)
