// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include "../base/text.h"
#include "../render/format.h"
#include "option_values.h"

#include <stdio.h>
#include <string.h>

// ---- all options

#define AT(member) offsetof(struct options, member)
enum {
    ANY = ~0,
    RESUMED = BENCH | CHECK | CLAIMS | TUNE | PEAKS,
    RUNS = RESUMED | GATE | BASELINE | TRY,
    TIMED = BENCH | AB | GATE | BASELINE | CLAIMS | TUNE | TRY | PEAKS,
    COMPARES = COMPARE | AB | GATE,
    CUSTOM = BENCH | CHECK | GATE | BASELINE | TUNE | TRY, // may load kernels of the user's own operators or in WGSL
};

// All options. A member of run.settings overrides the suite's; a member of run is sent to the worker (run.h).
static const struct option_entry option_table[] = {
    {"suite", TEXT, AT(suite), KEPT, RUNS | LIST | AB | MUTATE, "NAME|FILE",
        .help = "suite to run, from suites/ or a file"},
    {"tier", WORD, AT(tier), KEPT, CHECK, "smoke|sampled|exhaustive",
        .help = "how much to check; default: sampled, unless a suite is given"},
    {"shapes", COUNT, AT(shapes), KEPT, CHECK | MUTATE, "N",
        .help = "check at most so many shapes of a kernel and type; default: 2 on a CPU, 16 on a GPU", .most = 1000000},
    {"random", COUNT, AT(random), KEPT, CHECK, "N",
        .help = "check N further cases of every kernel and type, of random shape and dims", .most = 10000},
    {"device", TEXT, AT(device), KEPT, RUNS | LIST | AB | MUTATE, "WHICH",
        .help =
            "index, part of the name, UUID, PCI id, a list of these with commas, or 'all'; default: the best there is"},
    {"together", FLAG, AT(together), KEPT, RUNS, NULL,
        .help =
            "of several devices, time those that compute on the host's cores beside the others, on a share of them"},
    {"seed", NUMBER, AT(run.seed), KEPT, RUNS | AB | MUTATE, "N", .help = "seed of the inputs; default 1"},
    {"base", TEXT, AT(base), KEPT, AB, "DIR", .help = "kernels before the change"},
    {"head", TEXT, AT(head), KEPT, AB, "DIR", .help = "kernels after it"},
    {"kernels", TEXTS, AT(kernels), KEPT, RUNS | LIST | COVERAGE | EXPORT | MUTATE | INIT | SPIRV, "DIR",
        .help = "load kernels from this folder too; may be given more than once"},
    {"only", TEXT, AT(only), KEPT, BENCH | CHECK | LIST | AB | TUNE | MUTATE | GATE | BASELINE | SPIRV, "DIR",
        .help = "the kernels of this folder and no others; of a suite what names them"},
    {"operators", TEXTS, AT(operators), AGAIN, CUSTOM | LIST | AB | COVERAGE | EXPORT | MUTATE | INIT, "FILE.so",
        .help = "operators of your own (reference/README.md); may be given more than once"},
    {"wgsl-compiler", TEXT, AT(run.wgsl_compiler), AGAIN, CUSTOM | MUTATE | INIT, "COMMAND",
        .help = "makes SPIR-V of WGSL; default: $VKASSAY_WGSL, else naga or tint"},
    {"out", TEXT, AT(out), APART, RUNS | REPORT | EXPORT | MERGE | MUTATE | INIT | TABLE, "DIR",
        .help = "where results go; default reports/out; of init: the manifest's file"},
    {"limits", TEXT, AT(limits), KEPT, RUNS | LIST | AB | MUTATE | REPORT | EXPORT | TABLE, "PROFILE|FILE",
        .help = "keep to a profile's limits: vulkan-1.1-mobile, webgpu, webgpu-max, with +subgroups, +f16, or a file"},
    {"energy", FLAG, AT(run.energy), KEPT, BENCH, NULL,
        .help = "joules of a run beside its time, a second more a point (NVML; RAPL for a CPU)"},
    {"no-cache", FLAG, AT(run.anew), KEPT, RUNS | AB, NULL,
        .help = "compile shaders and pipelines anew: no cache is read or written, nor the driver's own"},
    {"max-buffer", BYTES, AT(max_buffer), KEPT, RUNS | LIST | AB | MUTATE, "BYTES",
        .help = "no operand larger than this; K, M or G may follow"},
    {"memory-share", SHARE, AT(run.settings.memory_share), KEPT, RUNS | AB, "SHARE",
        .help = "largest share of the device's memory that one point may take; default: as the suite says"},
    {"operator", TEXT, AT(operator), KEPT, TRY, "NAME", .help = "the operator that the shader implements"},
    {"dims", TEXT, AT(dims), KEPT, BENCH | CHECK | TUNE | TRY | AB | LIST, "NAME=SIZE,...",
        .help =
            "sizes of what is named, or in place of the suite's, as n=4M,rows=4096 (k, M, G: powers of 1024); what has "
            "no such dims is left out; check: every shape at them"},
    {"reference-only", FLAG, AT(reference_only), KEPT, BENCH, NULL,
        .help = "time the scalar references on one core, without a Vulkan device"},
    {"budget", SECONDS, AT(budget_s), KEPT, RESUMED | GATE, "SECONDS",
        .help = "start no further point after this time"},
    {"cache", SECOND_WORD, AT(run.settings.cold), KEPT, BENCH | AB | GATE | BASELINE | CLAIMS | TUNE, "hot|cold",
        .help = "time with warm caches, or with caches flushed before each sample"},
    {"clock", SECOND_WORD, AT(run.host_clock), KEPT, BENCH, "gpu|host",
        .help = "time hot samples by the device's clock, or by the host's (a check of the former)"},
    {"interval", MILLISECONDS, AT(run.interval_s), KEPT, BENCH, "MS",
        .help = "least length of an interval of hot samples; default: what the timer needs"},
    {"samples", COUNT, AT(run.settings.least_samples), KEPT, TIMED, "N",
        .help = "take so many samples of each point (ab: pairs), whatever their spread; default: as the suite says",
        .also = AT(run.settings.most_samples), .most = 1000000},
    {"seconds", SECONDS, AT(run.settings.point_seconds), KEPT, TIMED, "SECONDS",
        .help = "time for the samples of one point; default: as the suite says"},
    {"precision", PART, AT(run.settings.precision), KEPT, TIMED, "PERCENT",
        .help = "stop where half the 95 % interval of the median is within it; default: as the suite says"},
    {"timeout", SECONDS, AT(run.timeout_s), KEPT, RUNS | AB | MUTATE, "SECONDS",
        .help = "time one point may take before its worker is killed; default 60"},
    {"resume", TEXT, AT(resume), APART, RESUMED | MUTATE, "DIR",
        .help = "continue the interrupted run in this folder, by its own command line (harness/commands/README.md)"},
    {"shard", SHARD, AT(shard), KEPT, BENCH | CHECK | MUTATE, "I/N",
        .help = "run the I-th of N parts (see merge); of check also auto: spread over all devices like the chosen one"},
    {"costs", TEXT, AT(costs), KEPT, BENCH | CHECK, "RESULT",
        .help = "of shards: an earlier result, by whose times they are to take alike long; default: an estimate"},
    {"format", TEXT, AT(format), APART, COMPARES | EXPORT, "NAME",
        .help = "form of what is written: --help of the command names them"},
    {"expectations", TEXT, AT(expectations), KEPT, BENCH | CHECK | GATE | BASELINE, "FILE",
        .help = "what is known to fail, to be flaky, or must be skipped (suites/README.md)"},
    {"peers", TEXT, AT(peers), AGAIN, REPORT | EXPORT, "FILE",
        .help = "times of other programs to show beside these (scripts/peers/README.md)"},
    {"junit", TEXT, AT(junit), AGAIN, BENCH | CHECK | GATE, "FILE", .help = "write the outcome as JUnit XML too"},
    {"range", RANGE, AT(range), KEPT, CHECK, "FROM:TO",
        .help = "of the 32-bit inputs those whose bits are in this range, as 0x3f800000:0x3fffffff"},
    {"pairs", FLAG, AT(pairs), KEPT, CHECK, NULL,
        .help = "every pair of inputs of operators of two 16-bit operands, too"},
    {"validate", FLAG, AT(run.validate), KEPT, RUNS, NULL,
        .help = "run under the Khronos validation layer; an error that it finds fails its point"},
    {"gpu-assisted", FLAG, AT(run.gpu_assisted), KEPT, BENCH | CHECK, NULL,
        .help = "with --validate: the layer watches what shaders read and write too; slow", .also = AT(run.validate)},
    {"trim", FLAG, AT(trim), KEPT, RESUMED | MERGE, NULL, .help = "leave raw samples out of the result"},
    {"strategy", TEXT, AT(strategy), KEPT, TUNE, "NAME",
        .help = "how to search; default: exhaustive for few shapes, race for more"},
    {"agree", FLAG, AT(agree), KEPT, TUNE, NULL, .help = "hold two tunes of one device against each other"},
    {"simulate", FLAG, AT(simulate), KEPT, TUNE, NULL,
        .help = "search recorded spaces, without a device, and say how well strategies do"},
    {"effect", PERCENT, AT(effect), KEPT, COMPARES | REPORT, "PERCENT",
        .help = "least difference of two times that counts; default 3, of a history 1"},
    {"ulp-factor", FACTOR, AT(ulp_factor), KEPT, COMPARES, "FACTOR",
        .help = "errors may grow by this factor; default 2, inf: as far as the bound"},
    {"strict", FLAG, AT(strict), KEPT, COMPARES, NULL, .help = "an ambiguous point fails too"},
    {"allow-different", FLAG, AT(allow_different), KEPT, COMPARE | GATE | MERGE, NULL,
        .help = "compare although device, driver or seed differ, and say so; merge although versions differ"},
    {"alike", FLAG, AT(alike), KEPT, MERGE, NULL,
        .help = "merge checks of several devices, if of one model and driver; times of them are refused"},
    {"history", FLAG, AT(history), KEPT, REPORT, NULL,
        .help = "one page of all results: each point from run to run, and where it changed"},
    {"chart", SECOND_WORD, AT(all_charts), KEPT, REPORT, "page|all",
        .help = "draw some charts of each kind, first of kernels named at the top of the page, or every one; default: "
                "page"},
    {"gallery", TEXT, AT(gallery), KEPT, REPORT, "DIR",
        .help = "one page of all results in this folder: a card for each device; --out says where, default there"},
    {"baselines", TEXT, AT(baselines), AGAIN, GATE | BASELINE, "DIR",
        .help = "where baselines are kept; default reports/baselines"},
    {"quiet", FLAG, AT(quiet), APART, RUNS | AB | REPORT | MUTATE, NULL, .help = "no progress line"},
    {"color", WORD, AT(color), APART, (unsigned)ANY, "auto|always|never",
        .help = "colours for fail, slower, noisy; auto: on a terminal, unless NO_COLOR is set"},
    {"json", FLAG, AT(json), APART, DEVICES | LIST | COMPARES | MUTATE, NULL, .help = "print JSON"},
    {"count", COUNT, AT(count), KEPT, MUTATE, "N", .help = "make N mutants of each kernel; default 40",
        .most = 1000000},
    {"all", FLAG, AT(all), KEPT, MUTATE, NULL, .help = "make every mutant there is"},
    {"every", FLAG, AT(all), APART, STORE, NULL, .help = "of list: a line for each run"},
    {"keep", COUNT, AT(keep), APART, STORE, "N",
        .help = "of prune: the newest N runs of each device, driver and suite stay", .most = 1000000000},
    {"before", TEXT, AT(before), APART, STORE, "DATE",
        .help = "of prune: runs that were started before it go, as 2026-01-31"},
    {"operators-of-mutation", TEXTS, AT(operations), KEPT, MUTATE, "NAME",
        .help = "only mutations of these names, as 'memory.*'; may be given more than once"},
    {"mutant", TEXT, AT(mutant), KEPT, MUTATE, "NAME", .help = "make this one alone"},
    {"jobs", COUNT, AT(jobs), APART, RUNS | AB | MUTATE, "N",
        .help = "how much of what is not timed is done at once: workers that check, threads that build shaders and "
                "judge; default: one a core, of workers 8 at most, of the exhaustive tier one",
        .most = 64},
    {"least-score", SCORE, AT(least_score), KEPT, MUTATE, "SCORE", .help = "fail below it, as 0.95"},
    {"help", FLAG, AT(help), APART, (unsigned)ANY, NULL, .help = "print this help"},
};
enum { OPTIONS = sizeof option_table / sizeof option_table[0] };
_Static_assert(OPTIONS <= 128, "options.given has a bit for each");

static bool set(const struct option_entry *entry, const char *text, struct options *options) {
    char *base = (char *)options;
    const size_t place = (size_t)(entry - option_table);
    options->given[place / 64] |= (uint64_t)1 << place % 64;
    return option_take(entry, text, base + entry->offset) &&
           (!entry->also || option_take(entry, text, base + entry->also));
}

static bool was_given(const struct options *options, const struct option_entry *entry) {
    const size_t place = (size_t)(entry - option_table);
    return options->given[place / 64] >> place % 64 & 1;
}

static void put_setting(const struct options *options, size_t offset, size_t size, struct settings *settings) {
    if (offset < AT(run.settings) || offset >= AT(run.settings) + sizeof *settings) return;
    memcpy((char *)settings + (offset - AT(run.settings)), (const char *)options + offset, size);
}

void options_settings(const struct options *options, struct settings *settings) {
    for (const struct option_entry *entry = option_table; entry < option_table + OPTIONS; entry++) {
        if (!was_given(options, entry)) continue;
        put_setting(options, entry->offset, option_size(entry->kind), settings);
        put_setting(options, entry->also, option_size(entry->kind), settings);
    }
}

// ---- a command line

static const struct option_entry *find(enum command_set command, const char *name) {
    for (int i = 0; i < OPTIONS; i++)
        if (option_table[i].commands & command && strcmp(option_table[i].name, name) == 0) return &option_table[i];
    return NULL;
}

bool options_allow(enum command_set command, const char *name) {
    return find(command, name);
}

static bool unknown(enum command_set command, const char *name, struct error *err) {
    const char *names[OPTIONS];
    size_t count = 0;
    for (int i = 0; i < OPTIONS; i++)
        if (option_table[i].commands & command) names[count++] = option_table[i].name;
    const char *near = text_nearest(name, names, count);
    if (near) return error_set(err, STATUS_USAGE, "unknown option --%s; did you mean --%s?", name, near);
    return error_set(err, STATUS_USAGE, "unknown option --%s; --help lists what there is", name);
}

// The state of parsing a command line into `out`.
struct parser {
    struct arena *arena;
    enum command_set command;
    unsigned taken; // bits of enum when_resumed: the options that count
    struct options *out;
    const char **words;    // room for all words that are not options; NULL: they are ignored
    struct text *left_out; // NULL, or receives AGAIN options that count neither here nor before, quoted for a shell
    struct error *err;
};

static bool take(struct parser *p, const struct option_entry *entry, const char *text) {
    if (p->taken & entry->resumed) {
        if (set(entry, text, p->out)) return true;
        return error_set(p->err, STATUS_USAGE, "--%s expects %s, found '%s'", entry->name, entry->value, text);
    }
    if (!p->left_out || entry->resumed != AGAIN || was_given(p->out, entry)) return true;
    text_format(p->left_out, " --%s ", entry->name);
    text_shell_word(p->left_out, text);
    return true;
}

// Parses one option at argv[*at], "--name=value" or "--name value", and moves *at past it.
static bool parse_one(struct parser *p, int argc, char **argv, int *at) {
    const char *name = argv[*at] + 2, *equals = strchr(name, '='), *value = equals ? equals + 1 : "";
    if (equals) name = arena_copy_n(p->arena, name, (size_t)(equals - name));
    const struct option_entry *entry = find(p->command, name);
    if (!entry) return unknown(p->command, name, p->err);
    if (!entry->value && equals) return error_set(p->err, STATUS_USAGE, "--%s takes no value", entry->name);
    if (entry->value && !equals) {
        if (*at + 1 >= argc) return error_set(p->err, STATUS_USAGE, "--%s expects %s", entry->name, entry->value);
        value = argv[++*at];
    }
    ++*at;
    return take(p, entry, value);
}

static bool parse(struct parser *p, int argc, char **argv, int first) {
    bool ended = false;
    for (int i = first; i < argc;) {
        if (!ended && strcmp(argv[i], "--") == 0) {
            ended = true;
            i++;
        } else if (!ended && strncmp(argv[i], "--", 2) == 0) {
            if (!parse_one(p, argc, argv, &i)) return false;
        } else if (!ended && strcmp(argv[i], "-h") == 0) {
            p->out->help = true;
            i++;
        } else if (!ended && argv[i][0] == '-' && argv[i][1]) {
            return error_set(p->err, STATUS_USAGE, "unknown option %s; options are spelled out, as --help", argv[i]);
        } else if (p->words) {
            p->words[p->out->word_count++] = argv[i++];
        } else {
            i++;
        }
    }
    return true;
}

// Sets all options to their defaults, with room for the words of this command line.
static const char **prepare(struct arena *arena, int argc, struct options *out) {
    const char **words = arena_alloc(arena, (size_t)argc + 1, sizeof *words);
    *out = (struct options){.run = {.seed = 1, .timeout_s = 60},
        .range = {.last = UINT32_MAX},
        .effect = 0.03,
        .ulp_factor = 2,
        .words = words};
    return words;
}

bool options_parse(struct arena *arena, int argc, char **argv, int first, enum command_set command, struct options *out,
    struct error *err) {
    struct parser all = {.arena = arena, .command = command, .taken = KEPT | AGAIN | APART, .out = out, .err = err};
    all.words = prepare(arena, argc, out);
    if (command == REPORT) out->effect = 0.01; // a history also requires more than a point's own noise
    out->argc = argc;
    out->argv = argv;
    return parse(&all, argc, argv, first);
}

bool options_resume(struct arena *arena, int argc, char **argv, int first, enum command_set command,
    const struct options *given, struct options *out, struct text *left_out, struct error *err) {
    struct parser p = {.arena = arena, .command = command, .taken = AGAIN | APART, .out = out, .err = err};
    const char **words = prepare(arena, argc, out);
    if (!parse(&p, given->argc, given->argv, first)) return false;
    p.taken = KEPT;
    p.words = words;
    p.left_out = left_out;
    out->argc = given->argc;
    out->argv = given->argv;
    out->has_mistakes = given->has_mistakes;
    return parse(&p, argc, argv, first) || error_prefix(err, "the recorded command line: ");
}

void options_again(
    struct arena *arena, const struct options *options, int first, enum command_set command, struct text *out) {
    struct options unused = {0};
    struct error ignored;
    struct parser none = {.arena = arena, .command = command, .out = &unused, .left_out = out, .err = &ignored};
    parse(&none, options->argc, options->argv, first);
}

void options_each(enum command_set command, void (*each)(const struct option_words *option, void *user), void *user) {
    for (const struct option_entry *entry = option_table; entry < option_table + OPTIONS; entry++)
        if (entry->commands & command) each(&(struct option_words){entry->name, entry->value, entry->help}, user);
}

void help_row(const char *name, int column, const char *meaning) {
    char lead[64];
    snprintf(lead, sizeof lead, "  %-*s", column - 2, name);
    print_hanging(stdout, lead, meaning, column, HELP_WIDTH);
}

enum { HELP_COLUMN = 25 };

void options_help(enum command_set command) {
    puts("\nOptions:");
    for (int i = 0; i < OPTIONS; i++) {
        if (!(option_table[i].commands & command)) continue;
        char left[40];
        snprintf(left, sizeof left, "--%s%s%s", option_table[i].name, option_table[i].value ? " " : "",
            option_table[i].value ? option_table[i].value : "");
        // A longer name gets a line of its own.
        if (strlen(left) > HELP_COLUMN - 3) {
            printf("  %s\n", left);
            *left = '\0';
        }
        help_row(left, HELP_COLUMN, option_table[i].help);
    }
}
