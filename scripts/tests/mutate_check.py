#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the rules of mutate_rules.py on a small C file, and how mutate_c.py draws.

usage: mutate_check.py
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import figures_mutants  # noqa: E402
import mutate_c  # noqa: E402
import mutate_rules  # noqa: E402
import wings  # noqa: E402

SNIPPET = """\
struct pair { int left, right; double other; };
#define LIMIT 7
int note(int value);
void pair_free(struct pair *pair);
static int length(const struct pair *pair, int most) {
    char text[64];
    text[0] = 0;
    if (pair->left < most && most > LIMIT) note(most);
    pair_free(0);
    return pair->left + text[0];
}
int both(int a, int b) { return length(&(struct pair){.left = a, .other = 2.5}, b); }
int order(int a, int b) { return a ? note(a - b) : (note)(b); }
int two(int a, int b);
int swapped(int a, int b) { return two(a, b); }
_Bool known(void) { return 1; }
#define MADE(NAME, TYPE) static TYPE NAME(void) { TYPE zero = {0}; return zero; }
MADE(made, int)
"""
# Each rule with the texts of its changes: the changed line becomes this.
EXPECTED = {
    "comparison": {"if (pair->left > most && most > LIMIT) note(most);",
                   "if (pair->left <= most && most > LIMIT) note(most);",
                   "if (pair->left < most && most < LIMIT) note(most);",
                   "if (pair->left < most && most >= LIMIT) note(most);"},
    "arithmetic": {"return pair->left - text[0];",
                   "int order(int a, int b) { return a ? note(a + b) : (note)(b); }"},
    "logic": {"if (pair->left < most || most > LIMIT) note(most);"},
    "call removed": {"if (pair->left < most && most > LIMIT) (void)0;"},
    "field exchanged": {"if (pair->right < most && most > LIMIT) note(most);", "return pair->right + text[0];",
                        "int both(int a, int b) { return length(&(struct pair){.right = a, .other = 2.5}, b); }"},
    "branch": {"if (((pair->left < most && most > LIMIT), 1)) note(most);",
               "if (((pair->left < most && most > LIMIT), 0)) note(most);",
               "int order(int a, int b) { return ((a), 1) ? note(a - b) : (note)(b); }",
               "int order(int a, int b) { return ((a), 0) ? note(a - b) : (note)(b); }"},
    "arguments exchanged": {"int swapped(int a, int b) { return two(b, a); }"},
}


class Rules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "snippet.c"
        self.path.write_text(SNIPPET)
        self.found = mutate_rules.changes(self.path, "snippet.c", ["-std=c17"])

    def new_lines(self, rule):
        return {change.new_line for change in self.found if change.rule == rule}

    def test_each_rule_makes_its_changes_and_no_other(self):
        for rule, lines in EXPECTED.items():
            self.assertEqual(self.new_lines(rule), lines, rule)
        self.assertLessEqual({change.rule for change in self.found}, set(mutate_rules.RULES))

    def test_constants_become_one_more_and_one_less_but_lengths_of_arrays_do_not(self):
        lines = self.new_lines("constant")
        self.assertIn("text[0] = (0 + 1);", lines)
        self.assertIn("text[(0 - 1)] = 0;", lines)
        self.assertIn("int both(int a, int b) { return length(&(struct pair){.left = a, .other = (2.5 + 1)}, b); }",
                      lines)
        self.assertFalse([line for line in lines if "64" in line])

    def test_a_function_returns_early_with_each_value_of_bool(self):
        lines = self.new_lines("early return")
        self.assertIn("_Bool known(void) { return 0; return 1; }", lines)
        self.assertIn("_Bool known(void) { return 1; return 1; }", lines)
        self.assertIn("static int length(const struct pair *pair, int most) { return 0;", lines)

    def test_every_change_compiles(self):
        for change in self.found:
            self.path.write_bytes(mutate_rules.applied(SNIPPET.encode(), change))
            made = subprocess.run(["cc", "-std=c17", "-w", "-fsyntax-only", self.path], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(made.returncode, 0, f"{change}\n{made.stderr}")

    def test_keys_are_distinct_and_survive_lines_added_above(self):
        keys = [change.key for change in self.found]
        self.assertEqual(len(set(keys)), len(keys))
        self.path.write_text("// a line\n" + SNIPPET)
        self.assertEqual([c.key for c in mutate_rules.changes(self.path, "snippet.c", ["-std=c17"])], keys)


class Drawing(unittest.TestCase):
    def changes(self):
        return [mutate_rules.Change(f"{place}-{new}", "x.c", "f", 1, "constant", place, place + 1, str(new), "", "")
                for place in range(20) for new in range(2)]

    def test_a_seed_draws_the_same_places_each_once(self):
        first, again = (mutate_c.drawn(self.changes(), 10, 1) for _ in range(2))
        self.assertEqual(first, again)
        self.assertEqual(len({change.start for change in first}), 10)
        self.assertNotEqual(first, mutate_c.drawn(self.changes(), 10, 2))

    def test_every_place_is_drawn_by_some_seed(self):
        met = collections.Counter(c.start for seed in range(200) for c in mutate_c.drawn(self.changes(), 5, seed))
        self.assertEqual(set(met), set(range(20)))
        self.assertLess(max(met.values()), 2 * min(met.values()))

    def test_every_room_has_a_row_of_tests(self):
        self.assertEqual(set(wings.COMPONENTS), set(mutate_c.ABOVE))
        for component in mutate_c.ABOVE:
            for test in mutate_c.tests_of(component, {}):
                self.assertTrue((mutate_c.ROOT / mutate_c.test_source(test)).is_file(), test)


class Results(unittest.TestCase):
    def test_a_result_keeps_the_components_and_seeds_that_were_not_drawn_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "drawn.json"
            for count, seed, components in (3, 1, "ab"), (2, 1, "bc"), (1, 2, "b"):
                entries = [{"key": component, "room": component, "seed": seed, "count": count, "verdict": "survived"}
                           for component in components]
                mutate_c.write_result(path, {"count": count}, entries, {"a": {"equivalent": True, "why": "so"}})
            value = json.loads(path.read_text())
        self.assertEqual(value["count"], 3)
        self.assertEqual([(m["room"], m["seed"], m["count"]) for m in value["mutants"]],
                         [("a", 1, 3), ("b", 1, 2), ("c", 1, 2), ("b", 2, 1)])
        self.assertEqual([m.get("why") for m in value["mutants"]], ["so", None, None, None])
        self.assertEqual([m["verdict"] for m in value["mutants"]], ["equivalent"] + 3 * ["survived"])

    def test_changes_after_the_time_limit_have_no_verdict_unless_it_is_kept(self):
        class Kept:
            seconds, verdicts = {}, {"5-0": {"verdict": "survived", "tests": "others"}}

            def verdict(self, change, tests):
                return {"verdict": "killed"} if change.key == "3-0" else None

        changes = [c for c in Drawing().changes() if c.key in ("3-0", "4-0", "5-0")]
        verdicts = mutate_c.run_all("stats", changes, [None], Kept(), "r", -1)
        self.assertEqual(verdicts, [{"verdict": "killed"}, None, Kept.verdicts["5-0"]])


class Times(unittest.TestCase):
    def test_a_test_that_takes_longer_is_left_out(self):
        class Tree:
            ran = []

            def change(self, objects):
                pass

            def holds(self, test, seconds):
                self.ran.append((test, seconds))
                return test == "quick", 1 if test == "quick" else seconds

        with tempfile.TemporaryDirectory() as folder:
            kept, tree = mutate_c.Kept(pathlib.Path(folder) / "kept.json", 5), Tree()
            self.assertTrue(kept.measure(tree, "quick") and kept.measure(tree, "slow"))
            self.assertEqual((kept.is_long("quick"), kept.is_long("slow")), (False, True))
            self.assertFalse(kept.measure(tree, "slow"))
            kept.fresh.add("slow")  # it was changed, and may be quick now
            self.assertTrue(kept.measure(tree, "slow"))
            kept = mutate_c.Kept(pathlib.Path(folder) / "kept.json", 6)  # its 5 seconds were the limit
            self.assertTrue(kept.measure(tree, "slow"))
            self.assertFalse(kept.measure(tree, "quick"))
        self.assertEqual(tree.ran, [("quick", 5), ("slow", 5), ("slow", 5), ("slow", 6)])

    def test_a_survivor_is_tried_again_if_longer_tests_may_run(self):
        change = Drawing().changes()[0]
        with tempfile.TemporaryDirectory() as folder:
            for longest, again in (4, False), (5, False), (6, True):
                kept = mutate_c.Kept(pathlib.Path(folder) / "kept.json", longest)
                kept.verdicts[change.key] = {"verdict": "survived", "tests": mutate_c.digest([]), "longest": 5}
                self.assertEqual(kept.verdict(change, []) is None, again)

    def test_the_page_names_the_components_with_tests_left_out(self):
        components = [{"room": "a", "longest": 8}, {"room": "b"}, {"room": "c", "longest": 3}, {"room": "a", "longest": 3},
                 {"room": "d", "longest": 8}]
        self.assertEqual(figures_mutants.left_out(components[1:2]), [])
        self.assertIn(": above 3 s in a, c; above 8 s in d.", figures_mutants.left_out(components)[1])


class Page(unittest.TestCase):
    def test_interval_is_wilsons(self):
        for killed, decided, low, high in (10, 23, 0.2563, 0.6319), (25, 25, 0.8668, 1.0), (0, 4, 0.0, 0.4899):
            self.assertAlmostEqual(figures_mutants.interval(killed, decided)[0], low, 4)
            self.assertAlmostEqual(figures_mutants.interval(killed, decided)[1], high, 4)


    def test_each_seed_has_a_table_of_its_own(self):
        def entry(key, seed, component, verdict):
            return {"key": key, "seed": seed, "room": component, "verdict": verdict, "rule": "logic", "git": "r",
                    "file": "f.c", "function": "f", "old": "a", "new": "b"}

        page = figures_mutants.drawn_page({"count": 9, "mutants": [
            entry("k", 1, "judge", "killed"), entry("l", 1, "judge", "survived"), entry("l", 2, "judge", "survived"),
            entry("m", 2, "stats", "killed")]})
        first, second = page.split("## A sample with seed 2")
        self.assertIn("| judge | 2 | 1 | 1 |", first)
        self.assertIn("| all | 2 | 1 | 1 |", first)
        self.assertNotIn("stats", first)
        self.assertIn("| judge | 1 | 0 | 1 |", second)
        self.assertIn("| all | 2 | 1 | 1 |", second)
        self.assertEqual(second.count("`a` becomes `b`"), 1)  # one survivor, drawn by both seeds


if __name__ == "__main__":
    unittest.main()
