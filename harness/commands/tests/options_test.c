// SPDX-License-Identifier: Apache-2.0
// Command lines and their options: known values, units, and refused values.
#include "../options.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 12 };

// Parses a command line whose words are separated by blanks.
static bool parse(enum command_set command, const char *line, struct options *out, struct error *err) {
    static char words[500];
    static struct arena arena;
    char *argv[MOST_WORDS + 1] = {NULL}, *rest = NULL;
    int argc = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok_r(words, " ", &rest); word && argc < MOST_WORDS; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    *err = (struct error){0};
    return options_parse(&arena, argc, argv, 0, command, out, err);
}

#define MEMBER(member) offsetof(struct options, member), sizeof(((struct options *)0)->member)
#define REAL(value) .real = value, .is_real = true

static const struct {
    enum command_set command;
    const char *line;
    size_t offset, size;
    double real;
    uint64_t whole;
    bool is_real;
} values[] = {
    {BENCH, "", MEMBER(run.seed), .whole = 1},
    {BENCH, "--seed 7", MEMBER(run.seed), .whole = 7},
    {BENCH, "--seed=0x10", MEMBER(run.seed), .whole = 16},
    {BENCH, "--seed 18446744073709551615", MEMBER(run.seed), .whole = UINT64_MAX},
    {BENCH, "", MEMBER(run.timeout_s), REAL(60)},
    {BENCH, "--timeout 1.5", MEMBER(run.timeout_s), REAL(1.5)},
    {BENCH, "--timing interval=4", MEMBER(run.interval_s), REAL(4e-3)}, // milliseconds
    {BENCH, "--budget 20", MEMBER(budget_s), REAL(20)},
    {BENCH, "--timing seconds=0.25", MEMBER(run.settings.point_seconds), REAL(0.25)},
    {BENCH, "--timing precision=2", MEMBER(run.settings.precision), REAL(0.02)}, // percent
    {BENCH, "--timing precision=100%", MEMBER(run.settings.precision), REAL(1)},
    {BENCH, "--timing samples=9", MEMBER(run.settings.least_samples), .whole = 9},
    {BENCH, "--timing samples=9", MEMBER(run.settings.most_samples), .whole = 9},
    {BENCH, "--timing cache=cold", MEMBER(run.settings.cold), .whole = true},
    {BENCH, "--timing cache=hot", MEMBER(run.settings.cold), .whole = false},
    {BENCH, "--timing clock=host", MEMBER(run.host_clock), .whole = true},
    {BENCH, "--shard 3/8", MEMBER(shard.index), .whole = 3},
    {BENCH, "--shard 3/8", MEMBER(shard.count), .whole = 8},
    {BENCH, "--shard auto", MEMBER(shard.all), .whole = true},
    {CAPTURE, "--most-bytes 3", MEMBER(most_bytes), .whole = 3},
    {CAPTURE, "--most-bytes 3M", MEMBER(most_bytes), .whole = 3 << 20},
    {BENCH, "--jobs 64", MEMBER(jobs), .whole = 64},
    {BENCH, "--no-cache", MEMBER(run.anew), .whole = true},
    {CHECK, "--gpu-assisted", MEMBER(run.validate), .whole = true}, // includes the plain layer
    {CHECK, "--sanitize", MEMBER(run.sanitize), .whole = true},
    {CHECK, "", MEMBER(range.last), .whole = UINT32_MAX},
    {CHECK, "--range 0x10:31", MEMBER(range.first), .whole = 16},
    {CHECK, "--range 0x10:31", MEMBER(range.last), .whole = 31},
    {COMPARE, "", MEMBER(effect), REAL(0.03)},
    {REPORT, "", MEMBER(effect), REAL(0.01)},
    {COMPARE, "--effect 5", MEMBER(effect), REAL(0.05)},
    {COMPARE, "--effect 5%", MEMBER(effect), REAL(0.05)},
    {COMPARE, "", MEMBER(ulp_factor), REAL(2)},
    {COMPARE, "--ulp-factor inf", MEMBER(ulp_factor), REAL(INFINITY)},
    {MUTATE, "--least-score 0.95", MEMBER(least_score), REAL(0.95)},
    {REPORT, "--chart all", MEMBER(all_charts), .whole = true},
    {BENCH, "a b -- --quiet", MEMBER(word_count), .whole = 3},
    {BENCH, "a b -- --quiet", MEMBER(quiet), .whole = false},
};

static void values_have_their_units(void **state) {
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct options options;
        struct error err;
        if (!parse(values[i].command, values[i].line, &options, &err)) fail_msg("%s: %s", values[i].line, err.text);
        const char *member = (const char *)&options + values[i].offset;
        double real = 0;
        uint64_t whole = 0;
        memcpy(values[i].is_real ? (void *)&real : (void *)&whole, member, values[i].size); // little-endian
        if (values[i].is_real ? real != values[i].real : whole != values[i].whole)
            fail_msg("%s: %g, %llu", values[i].line, real, (unsigned long long)whole);
    }
}

static const struct {
    enum command_set command;
    const char *line, *says;
} refused[] = {
    {BENCH, "--seed x", "--seed expects N, found 'x'"},
    {BENCH, "--seed -1", "--seed expects N"},
    {BENCH, "--seed 18446744073709551616", "--seed expects N"},
    {BENCH, "--timing samples=0", "--timing: samples expects N"},
    {BENCH, "--timing samples=1.5", "--timing: samples expects N"},
    {BENCH, "--timing samples=1000001", "--timing: samples expects N"},
    {BENCH, "--timing samples=4294967297", "--timing: samples expects N"}, // 1 in 32 bits
    {BENCH, "--jobs 65", "--jobs expects N"},
    {BENCH, "--timing seconds=0", "--timing: seconds expects SECONDS"},
    {BENCH, "--timing seconds=inf", "--timing: seconds expects SECONDS"},
    {BENCH, "--timing seconds=1s", "--timing: seconds expects SECONDS"},
    {BENCH, "--timing precision=0", "--timing: precision expects PERCENT"},
    {BENCH, "--timing precision=101", "--timing: precision expects PERCENT"},
    {BENCH, "--shard 0/2", "--shard expects I/N"},
    {BENCH, "--shard 3/2", "--shard expects I/N"},
    {BENCH, "--shard 1/10001", "--shard expects I/N"},
    {BENCH, "--shard 1/4294967298", "--shard expects I/N"}, // 2 in 32 bits
    {BENCH, "--shard 1", "--shard expects I/N"},
    {BENCH, "--timing cache=warm", "--timing: cache expects hot|cold"},
    {BENCH, "--timing cache=h", "--timing: cache expects hot|cold"},
    {BENCH, "--quiet=1", "--quiet takes no value"},
    {BENCH, "--seed", "--seed expects N"},
    {BENCH, "--sed 1", "unknown option --sed; did you mean --seed?"},
    {BENCH, "--timing", "--timing expects NAME=VALUE"},
    {BENCH, "--timing 7", "--timing expects NAME=VALUE,..., found '7'; there are samples=N"},
    {BENCH, "--timing samples=3,", "--timing expects NAME=VALUE"},
    {TUNE, "--timing clock=host", "--timing expects NAME=VALUE"}, // of bench
    {BENCH, "--samples 7", "--samples is gone: use --timing samples=N"},
    {COMPARE, "--json", "--json is gone: use --format json"},
    {TUNE, "--agree", "--agree is gone: compare the two tuned.json files"},
    {BENCH, "--nonsense", "unknown option --nonsense"},
    {BENCH, "-q", "unknown option -q"},
    {BENCH, "--strict", "unknown option --strict"}, // of compare
    {CHECK, "--rewritten=", "--rewritten expects COMMAND"},
    {BENCH, "--rewritten cp", "unknown option --rewritten"},
    {CHECK, "--range 5:4", "--range expects FROM:TO"},
    {CHECK, "--range 0:0x100000000", "--range expects FROM:TO"},
    {CHECK, "--range 5", "--range expects FROM:TO"},
    {CHECK, "--tier all", "--tier expects smoke|sampled|exhaustive|compile"},
    {COMPARE, "--effect -1", "--effect expects PERCENT"},
    {COMPARE, "--effect 1000", "--effect expects PERCENT"},
    {COMPARE, "--ulp-factor 0.5", "--ulp-factor expects FACTOR"},
    {MUTATE, "--least-score 1.5", "--least-score expects SCORE"},
};

static void other_values_are_refused(void **state) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct options options;
        struct error err;
        if (parse(refused[i].command, refused[i].line, &options, &err)) fail_msg("%s is accepted", refused[i].line);
        assert_int_equal(err.status, STATUS_USAGE);
        if (!strstr(err.text, refused[i].says)) fail_msg("%s: %s", refused[i].line, err.text);
    }
}

static uint64_t seed_of(enum command_set command, const char *line) {
    struct options options;
    struct error err;
    assert_true(parse(command, line, &options, &err));
    return options.run.seed;
}

// Results are compared by their inputs, and shards must agree; a judge alone need not be foreseen.
static void only_a_judge_draws_its_seed(void **state) {
    unsetenv("VKASSAY_SEED");
    assert_true(seed_of(CHECK, "") != seed_of(CHECK, ""));
    assert_true(seed_of(TRY, "") != seed_of(TRY, ""));
    assert_int_equal(seed_of(CHECK, "--seed 9"), 9);
    assert_int_equal(seed_of(CHECK, "--shard 1/2"), 1);
    assert_int_equal(seed_of(BENCH, ""), 1);
    assert_int_equal(seed_of(GATE, ""), 1);
    setenv("VKASSAY_SEED", "7", 1);
    assert_int_equal(seed_of(CHECK, ""), 7);
    assert_int_equal(seed_of(CHECK, "--seed 9"), 9);
    assert_int_equal(seed_of(BENCH, ""), 1);
    setenv("VKASSAY_SEED", "1", 1);
}

static void words_keep_their_order(void **state) {
    struct options options;
    struct error err;
    assert_true(parse(BENCH, "a --seed 3 b -- --c -d", &options, &err));
    assert_int_equal(options.word_count, 4);
    static const char *const words[] = {"a", "b", "--c", "-d"};
    for (int i = 0; i < 4; i++) assert_string_equal(options.words[i], words[i]);
    assert_null(options.words[4]);
}

// A setting that is not given keeps the suite's value.
static void given_settings_override_the_suite(void **state) {
    struct options options;
    struct error err;
    struct settings settings = {.point_seconds = 9, .precision = 0.5, .least_samples = 3, .most_samples = 4};
    assert_true(parse(BENCH, "--timing precision=2,samples=8", &options, &err));
    options_settings(&options, &settings);
    assert_true(settings.point_seconds == 9 && settings.precision == 0.02);
    assert_int_equal(settings.least_samples, 8);
    assert_int_equal(settings.most_samples, 8);
}

// Every option with a value and its member.
static const struct {
    enum command_set command;
    const char *name, *value; // value NULL: a flag
    size_t offset, size;
} members[] = {
    {BENCH, "suite", "a", MEMBER(suite)},
    {CHECK, "tier", "smoke", MEMBER(tier)},
    {CHECK, "shapes", "3", MEMBER(shapes)},
    {CHECK, "random", "3", MEMBER(random)},
    {BENCH, "device", "a", MEMBER(device)},
    {BENCH, "seed", "3", MEMBER(run.seed)},
    {AB, "base", "a", MEMBER(base)},
    {AB, "head", "a", MEMBER(head)},
    {BENCH, "kernels", "a", MEMBER(kernels)},
    {BENCH, "only", "a", MEMBER(only)},
    {BENCH, "operators", "a", MEMBER(operators)},
    {BENCH, "wgsl-compiler", "a", MEMBER(run.wgsl_compiler)},
    {BENCH, "out", "a", MEMBER(out)},
    {BENCH, "limits", "a", MEMBER(limits)},
    {BENCH, "timing", "energy=on", MEMBER(run.energy)},
    {BENCH, "no-cache", NULL, MEMBER(run.anew)},
    {CHECK, "disassembly", "a", MEMBER(run.disassembly)},
    {INIT, "defines", "a", MEMBER(defines)},
    {INIT, "names", "a", MEMBER(names)},
    {INIT, "recipe", "a", MEMBER(recipe)},
    {TRY, "operator", "a", MEMBER(operator)},
    {BENCH, "dims", "a", MEMBER(dims)},
    {BENCH, "budget", "3", MEMBER(budget_s)},
    {BENCH, "timing", "cache=cold", MEMBER(run.settings.cold)},
    {BENCH, "timing", "clock=host", MEMBER(run.host_clock)},
    {BENCH, "timing", "interval=3", MEMBER(run.interval_s)},
    {BENCH, "timing", "samples=3", MEMBER(run.settings.least_samples)},
    {BENCH, "timing", "seconds=3", MEMBER(run.settings.point_seconds)},
    {BENCH, "timing", "precision=3", MEMBER(run.settings.precision)},
    {CAPTURE, "most-bytes", "3", MEMBER(most_bytes)},
    {CAPTURE, "times", NULL, MEMBER(times)},
    {BENCH, "timeout", "3", MEMBER(run.timeout_s)},
    {BENCH, "resume", "a", MEMBER(resume)},
    {BENCH, "shard", "2/3", MEMBER(shard)},
    {EXPORT, "format", "a", MEMBER(format)},
    {BENCH, "expectations", "a", MEMBER(expectations)},
    {REPORT, "peers", "a", MEMBER(peers)},
    {BENCH, "junit", "a", MEMBER(junit)},
    {CHECK, "range", "3:4", MEMBER(range)},
    {CHECK, "pairs", NULL, MEMBER(pairs)},
    {CHECK, "repeat", "3", MEMBER(run.repeat)},
    {CHECK, "busy", NULL, MEMBER(run.busy)},
    {CHECK, "invariant", "a", MEMBER(run.invariant)},
    {BENCH, "validate", NULL, MEMBER(run.validate)},
    {BENCH, "gpu-assisted", NULL, MEMBER(run.gpu_assisted)},
    {CHECK, "sanitize", NULL, MEMBER(run.sanitize)},
    {CHECK, "rewritten", "a", MEMBER(run.rewritten)},
    {BENCH, "trim", NULL, MEMBER(trim)},
    {TUNE, "strategy", "a", MEMBER(strategy)},
    {TUNE, "join", NULL, MEMBER(join)},
    {TUNE, "simulate", NULL, MEMBER(simulate)},
    {COMPARE, "effect", "7", MEMBER(effect)},
    {COMPARE, "ulp-factor", "3", MEMBER(ulp_factor)},
    {COMPARE, "strict", NULL, MEMBER(strict)},
    {COMPARE, "allow-different", NULL, MEMBER(allow_different)},
    {MERGE, "alike", NULL, MEMBER(alike)},
    {REPORT, "claims", "a", MEMBER(claims)},
    {REPORT, "history", NULL, MEMBER(history)},
    {REPORT, "chart", "all", MEMBER(all_charts)},
    {GATE, "save-baseline", NULL, MEMBER(save_baseline)},
    {GATE, "baselines", "a", MEMBER(baselines)},
    {BENCH, "with-graphics", NULL, MEMBER(with_graphics)},
    {BENCH, "quiet", NULL, MEMBER(quiet)},
    {BENCH, "color", "never", MEMBER(color)},
    {LIST, "json", NULL, MEMBER(json)},
    {MUTATE, "count", "3", MEMBER(count)},
    {MUTATE, "all", NULL, MEMBER(all)},
    {MUTATE, "operators-of-mutation", "a", MEMBER(operations)},
    {MUTATE, "mutant", "a", MEMBER(mutant)},
    {BENCH, "jobs", "3", MEMBER(jobs)},
    {MUTATE, "least-score", "0.5", MEMBER(least_score)},
    {BENCH, "help", NULL, MEMBER(help)},
};
enum { MEMBERS = sizeof members / sizeof *members };

static void option_has_a_row(const struct option_words *option, void *user) {
    (void)user;
    for (size_t i = 0; i < MEMBERS; i++)
        if (strcmp(members[i].name, option->name) == 0) return;
    fail_msg("no row for --%s", option->name);
}

static bool is_member_of(size_t option, size_t offset) {
    static const struct {
        const char *given;
        size_t offset;
    } also[] = {{"samples=3", offsetof(struct options, run.settings.most_samples)},
        {"gpu-assisted", offsetof(struct options, run.validate)}};
    for (size_t i = 0; i < sizeof also / sizeof *also; i++)
        if (also[i].offset == offset &&
            (strcmp(also[i].given, members[option].name) == 0 ||
                (members[option].value && strcmp(also[i].given, members[option].value) == 0)))
            return true;
    return members[option].offset == offset;
}

// An option changes its own members, and those of no other option.
static void options_set_only_their_own_members(void **state) {
    options_each((enum command_set) ~0, option_has_a_row, NULL);
    for (size_t i = 0; i < MEMBERS; i++) {
        struct options before, after;
        struct error err;
        char line[100];
        const char *value = members[i].value;
        snprintf(line, sizeof line, "--%s%s%s", members[i].name, value ? " " : "", value ? value : "");
        if (!parse(members[i].command, "", &before, &err) || !parse(members[i].command, line, &after, &err))
            fail_msg("%s: %s", line, err.text);
        for (size_t k = 0; k < MEMBERS; k++) {
            const char *old = (const char *)&before + members[k].offset,
                       *new = (const char *)&after + members[k].offset;
            if ((memcmp(old, new, members[k].size) != 0) != is_member_of(i, members[k].offset))
                fail_msg("%s and the member of --%s", line, members[k].name);
        }
    }
}

int main(void) {
    setenv("VKASSAY_SEED", "1", 1); // other tests compare all members
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_their_units),
        cmocka_unit_test(options_set_only_their_own_members),
        cmocka_unit_test(other_values_are_refused),
        cmocka_unit_test(only_a_judge_draws_its_seed),
        cmocka_unit_test(words_keep_their_order),
        cmocka_unit_test(given_settings_override_the_suite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
