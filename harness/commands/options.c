// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include "../../reference/table.h"
#include "../base/text.h"
#include "../capture/replay/folder.h"
#include "../tools/adopt/operator_words.h"
#include "../readers/render/format.h"
#include "option_values.h"
#include "replaced.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

// ---- all options

#define AT(member) offsetof(struct options, member)
enum {
    ANY = ~0,
    RESUMED = BENCH | CHECK | TUNE,
    RUNS = RESUMED | GATE | TRY,
    TIMED = BENCH | AB | GATE | TUNE | TRY,
    COMPARES = COMPARE | AB | GATE,
    SELECTING = BENCH | CHECK | TUNE | AB | GATE | LIST | MUTATE,
    REPLAYS = BENCH | CHECK | TUNE | GATE | LIST | MUTATE, // take a captured folder as a word; two of them refuse it
    CUSTOM = BENCH | CHECK | GATE | TUNE | TRY,            // may load kernels of the user's own operators or in WGSL
};

// All options. A member of run.settings overrides the suite's; a member of run is sent to the worker (run.h).
static const struct option_entry option_table[] = {
    {"suite", TEXT, AT(suite), KEPT, RUNS | LIST | AB | MUTATE, "NAME|FILE",
        .help = "suite to run: a name in suites/ or a file"},
    {"tier", WORD, AT(tier), KEPT, CHECK, "smoke|sampled|exhaustive|compile",
        .help = "how much to check; default: sampled, unless a suite is given"},
    {"shapes", COUNT, AT(shapes), KEPT, CHECK | MUTATE, "N",
        .help = "check at most N shapes of each kernel and type; default: 2 on a CPU, 16 on a GPU", .most = 1000000},
    {"random", COUNT, AT(random), KEPT, CHECK, "N",
        .help = "check N additional cases of each kernel and type, with random shape and dims", .most = 10000},
    {"device", TEXT, AT(device), KEPT, RUNS | LIST | AB | MUTATE | INIT, "WHICH",
        .help = "index, part of the name, UUID, PCI id, a comma-separated list of these, or 'all'; default: the best "
                "device; bench: 'none' times only the scalar references, on one core"},
    {"seed", NUMBER, AT(run.seed), KEPT, RUNS | AB | MUTATE, "N",
        .help = "seed of the inputs; default: a new one for check and try, printed and in every replay line; 1 for "
                "shards, and for commands whose results are compared"},
    {"base", TEXT, AT(base), KEPT, AB, "DIR", .help = "folder of kernels before the change"},
    {"head", TEXT, AT(head), KEPT, AB, "DIR", .help = "folder of kernels after the change"},
    {"kernels", TEXTS, AT(kernels), KEPT, RUNS | LIST | EXPORT | MUTATE | INIT | SPIRV, "DIR",
        .help = "load kernels from this folder too; may be repeated"},
    {"only", TEXT, AT(only), KEPT, BENCH | CHECK | LIST | AB | TUNE | MUTATE | GATE | SPIRV, "DIR",
        .help = "use only the kernels of this folder; with a suite: only its entries for them"},
    {"only", TEXT, AT(only), APART, CAPTURE, "PATTERN",
        .help = "record only pipelines whose debug name, entry point or hash of the module matches, such as 'matmul*'"},
    {"most-bytes", BYTES, AT(most_bytes), APART, CAPTURE, "SIZE",
        .help = "record at most so many bytes in each process, such as 512M; default: 4G"},
    {"times", FLAG, AT(times), APART, CAPTURE, NULL,
        .help = "time each dispatch on the device; they no longer overlap then"},
    {"operators", TEXTS, AT(operators), AGAIN, CUSTOM | LIST | AB | EXPORT | MUTATE | INIT, "FILE.so",
        .help = "load your own operators (reference/README.md); may be repeated"},
    {"wgsl-compiler", TEXT, AT(run.wgsl_compiler), AGAIN, CUSTOM | MUTATE | INIT, "COMMAND",
        .help = "command that compiles WGSL to SPIR-V; default: $VKASSAY_WGSL, then naga, tint or npm's package"},
    {"out", TEXT, AT(out), APART, RUNS | REPORT | EXPORT | MERGE | MUTATE | INIT | CAPTURE, "DIR",
        .help = "output folder; default: reports/out, for capture: capture; for init: path of the manifest"},
    {"limits", TEXT, AT(limits), KEPT, RUNS | LIST | AB | MUTATE | REPORT | EXPORT, "PROFILE|FILE",
        .help =
            "apply the limits of a profile: vulkan-1.1-mobile, webgpu, webgpu-max, with +subgroups, +f16, or a file"},
    {"no-cache", FLAG, AT(run.anew), KEPT, RUNS | AB, NULL,
        .help = "compile all shaders and pipelines again; caches, including the driver's, are not read or written"},
    {"disassembly", TEXT, AT(run.disassembly), APART, CHECK, "DIR",
        .help = "with --tier compile: write the driver's intermediate code and assembly of each pipeline into this "
                "folder, if it gives any"},
    {"defines", TEXT, AT(defines), AGAIN, INIT, "FILE",
        .help = "read each shader once for each of its lines: NAME SHADER -DX=1 -I DIR, or a recorded command of glslc "
                "(kernels/BACKENDS.md)"},
    {"names", TEXT, AT(names), AGAIN, INIT, "FILE",
        .help = "dictionary of the names in a project's shaders (kernels/BACKENDS.md)"},
    {"recipe", TEXT, AT(recipe), AGAIN, INIT, "FILE",
        .help = "also write a recipe of CI for the folder of --out: GitLab's if FILE has 'gitlab' in it, or else "
                "GitHub's, such as .github/workflows/kernels.yml"},
    {"operator", TEXT, AT(operator), KEPT, TRY, "NAME", .help = "operator implemented by the shader"},
    {"dims", TEXT, AT(dims), KEPT, BENCH | CHECK | TUNE | TRY | AB | LIST, "NAME=SIZE,...",
        .help = "sizes to use instead of the suite's, such as n=4M,rows=4096 (k, M, G: powers of 1024); kernels "
                "without these dims are skipped; check: use every shape at these sizes; n=1..64 is a ladder of sizes: "
                "bench "
                "names those that are slower than a larger size, two smaller ones or another kernel"},
    {"budget", SECONDS, AT(budget_s), KEPT, RESUMED | GATE | TRY, "SECONDS",
        .help = "start no new point after this time; default: none, for try 20"},
    {"timing", PARTS, 0, KEPT, TIMED, "NAME=VALUE,...",
        .help = "how to time each point, instead of as the suite says:"},
    {"samples", COUNT, AT(run.settings.least_samples), KEPT, TIMED, "N", .part_of = "timing",
        .help = "take exactly N samples (ab: pairs), regardless of their spread", .also = AT(run.settings.most_samples),
        .most = 1000000},
    {"seconds", SECONDS, AT(run.settings.point_seconds), KEPT, TIMED, "SECONDS", .part_of = "timing",
        .help = "maximum time for the samples of one point"},
    {"precision", PART, AT(run.settings.precision), KEPT, TIMED, "PERCENT", .part_of = "timing",
        .help = "stop when half the 95 % interval of the median is below this"},
    {"cache", SECOND_WORD, AT(run.settings.cold), KEPT, BENCH | AB | GATE | TUNE, "hot|cold", .part_of = "timing",
        .help = "time with warm caches, or flush caches before each sample"},
    {"interval", MILLISECONDS, AT(run.interval_s), KEPT, BENCH, "MS", .part_of = "timing",
        .help = "minimum duration of an interval of hot samples; default: as long as the timer requires"},
    {"clock", SECOND_WORD, AT(run.host_clock), KEPT, BENCH, "gpu|host", .part_of = "timing",
        .help = "clock for hot samples: the device's, or the host's as a cross-check"},
    {"energy", SECOND_WORD, AT(run.energy), KEPT, BENCH, "off|on", .part_of = "timing",
        .help = "also measure joules per run; adds one second a point (NVML; RAPL for a CPU)"},
    {"timeout", SECONDS, AT(run.timeout_s), KEPT, RUNS | AB | MUTATE, "SECONDS",
        .help = "kill the worker if one point takes longer; default: 60"},
    {"resume", TEXT, AT(resume), APART, RESUMED | MUTATE, "DIR",
        .help = "continue the interrupted run in this folder, with its recorded options (harness/commands/README.md)"},
    {"shard", SHARD, AT(shard), KEPT, BENCH | CHECK | MUTATE, "I/N",
        .help =
            "run the I-th of N shards (see merge); check only: auto splits the run over all devices of the same model"},
    {"format", TEXT, AT(format), APART, COMPARES | EXPORT, "NAME",
        .help = "output format; see --help of the command for the names"},
    {"expectations", TEXT, AT(expectations), KEPT, BENCH | CHECK | GATE, "FILE",
        .help = "file of expected failures, flaky points and points to skip (suites/README.md)"},
    {"peers", TEXT, AT(peers), AGAIN, REPORT | EXPORT, "FILE",
        .help = "also show the times of other programs (scripts/peers/README.md)"},
    {"junit", TEXT, AT(junit), AGAIN, BENCH | CHECK | GATE, "FILE", .help = "also write the outcome as JUnit XML"},
    {"range", RANGE, AT(range), KEPT, CHECK, "FROM:TO",
        .help = "check only 32-bit inputs whose bits are in this range, such as 0x3f800000:0x3fffffff"},
    {"pairs", FLAG, AT(pairs), KEPT, CHECK, NULL,
        .help = "also check every pair of inputs of operators with two 16-bit operands"},
    {"validate", FLAG, AT(run.validate), KEPT, RUNS, NULL,
        .help = "enable the Khronos validation layer; a validation error fails the point"},
    {"gpu-assisted", FLAG, AT(run.gpu_assisted), KEPT, BENCH | CHECK, NULL,
        .help = "with --validate: also check the memory accesses of shaders on the GPU; slow",
        .also = AT(run.validate)},
    {"with-graphics", FLAG, AT(with_graphics), KEPT, BENCH | CHECK | TUNE, NULL,
        .help = "also open a queue for graphics, as programs that draw do, if the queue that computes is of another "
                "family; "
                "some drivers then give kernels less shared memory"},
    {"sanitize", FLAG, AT(run.sanitize), KEPT, CHECK | MUTATE | TRY, NULL,
        .help = "also run each point with instrumented shaders, to find races, accesses out of bounds, shared memory "
                "read before it is written, and barriers not reached by all (harness/shader/sanitize/README.md)"},
    {"rewritten", TEXT, AT(run.rewritten), AGAIN, CHECK, "COMMAND",
        .help =
            "also run each point with SPIR-V rewritten by this command, such as 'spirv-opt -O %i -o %o', and expect "
            "the same bits"},
    {"repeat", COUNT, AT(run.repeat), KEPT, CHECK | TUNE, "N",
        .help = "run each right point N times warm, N times cold and N/10 times after a pause; an execution with other "
                "bits fails it, with the rate of such executions",
        .most = 1000000},
    {"busy", FLAG, AT(run.busy), KEPT, CHECK | TUNE, NULL, .help = "with --repeat: N times beside other work, too"},
    {"invariant", TEXT, AT(run.invariant), KEPT, CHECK | TUNE, "DIM",
        .help = "compare the bits of the first line along DIM at all its sizes and in all kernels (batch invariance); "
                "tune: choose shapes with the same bits, and print what they cost"},
    {"trim", FLAG, AT(trim), KEPT, RESUMED | MERGE, NULL, .help = "omit raw samples from the result"},
    {"strategy", TEXT, AT(strategy), KEPT, TUNE, "NAME",
        .help = "search strategy; default: exhaustive for few shapes, race for more"},
    {"simulate", FLAG, AT(simulate), KEPT, TUNE, NULL,
        .help = "simulate searches on recorded results, without a device, and print how well each strategy does"},
    {"join", FLAG, AT(join), APART, TUNE, NULL,
        .help = "join results, folders of results and tuned tables of many devices into one table, in the file of "
                "--out"},
    {"effect", PERCENT, AT(effect), KEPT, COMPARES | REPORT, "PERCENT",
        .help = "smallest difference of two times to report; default: 3, for a history 1"},
    {"ulp-factor", FACTOR, AT(ulp_factor), KEPT, COMPARES, "FACTOR",
        .help = "errors may grow by this factor; default: 2; inf: up to the bound"},
    {"strict", FLAG, AT(strict), KEPT, COMPARES, NULL, .help = "fail on ambiguous points too"},
    {"allow-different", FLAG, AT(allow_different), KEPT, COMPARE | GATE | MERGE, NULL,
        .help = "compare results even if device, driver or seed differ, and list the differences; merge: even if "
                "versions differ"},
    {"alike", FLAG, AT(alike), KEPT, MERGE | REPORT, NULL,
        .help = "merge checks of several devices of one model and driver; results with times are refused; report: "
                "devices of one model and driver are one device in a gallery, and of one model in a history"},
    {"claims", TEXT, AT(claims), KEPT, REPORT, "SUITE",
        .help = "decide the claims of this suite (a name in suites/ or a file) by each result"},
    {"history", FLAG, AT(history), KEPT, REPORT, NULL,
        .help = "write one page for all results: each point from run to run, and when it changed"},
    {"chart", SECOND_WORD, AT(all_charts), KEPT, REPORT, "page|all",
        .help =
            "draw some charts of each kind, starting with the kernels at the top of the page, or all; default: page"},
    {"baselines", TEXT, AT(baselines), AGAIN, GATE, "DIR", .help = "folder of baselines; default: reports/baselines"},
    {"save-baseline", FLAG, AT(save_baseline), APART, GATE, NULL,
        .help = "save the result of this run, or each RESULT, as the baseline of its device, driver and suite"},
    {"quiet", FLAG, AT(quiet), APART, RUNS | AB | REPORT | MUTATE, NULL, .help = "no progress line"},
    {"color", WORD, AT(color), APART, (unsigned)ANY, "auto|always|never",
        .help = "colours for fail, slower, noisy; auto: on a terminal, unless NO_COLOR is set"},
    {"json", FLAG, AT(json), APART, DEVICES | LIST | MUTATE | TRY, NULL, .help = "print JSON"},
    {"count", COUNT, AT(count), KEPT, MUTATE, "N", .help = "make N mutants of each kernel; default: 40",
        .most = 1000000},
    {"all", FLAG, AT(all), KEPT, MUTATE, NULL, .help = "make every possible mutant"},
    {"operators-of-mutation", TEXTS, AT(operations), KEPT, MUTATE, "NAME",
        .help = "use only mutations with these names, such as 'memory.*'; may be repeated"},
    {"mutant", TEXT, AT(mutant), KEPT, MUTATE, "NAME", .help = "make only this mutant"},
    {"jobs", COUNT, AT(jobs), APART, RUNS | AB | MUTATE | INIT, "N",
        .help = "number of parallel jobs outside timing: workers for checks, threads for compiling and judging; "
                "default: one per core, at most 8 workers, one for the exhaustive tier",
        .most = 64},
    {"least-score", SCORE, AT(least_score), KEPT, MUTATE, "SCORE", .help = "fail if the score is lower, such as 0.95"},
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
        if (option_table[i].commands & command && !option_table[i].part_of && strcmp(option_table[i].name, name) == 0)
            return &option_table[i];
    return NULL;
}

// Finds a part of an option by the first `length` bytes of its name.
static const struct option_entry *find_part(
    enum command_set command, const char *option, const char *name, size_t length) {
    for (const struct option_entry *entry = option_table; entry < option_table + OPTIONS; entry++)
        if (entry->commands & command && entry->part_of && strcmp(entry->part_of, option) == 0 &&
            strlen(entry->name) == length && memcmp(entry->name, name, length) == 0)
            return entry;
    return NULL;
}

static bool unknown(enum command_set command, const char *name, struct error *err) {
    const char *names[OPTIONS];
    size_t count = 0;
    for (int i = 0; i < OPTIONS; i++)
        if (option_table[i].commands & command && !option_table[i].part_of) names[count++] = option_table[i].name;
    const char *now = replaced_option(command, name), *near = text_nearest(name, names, count);
    if (now) return error_set(err, STATUS_USAGE, "--%s is gone: %s", name, now);
    if (near) return error_set(err, STATUS_USAGE, "unknown option --%s; did you mean --%s?", name, near);
    return error_set(err, STATUS_USAGE, "unknown option --%s; --help lists all options", name);
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

static bool unknown_part(
    enum command_set command, const struct option_entry *option, const char *part, struct error *err) {
    struct text names = {0};
    for (const struct option_entry *entry = option_table; entry < option_table + OPTIONS; entry++)
        if (entry->commands & command && entry->part_of && strcmp(entry->part_of, option->name) == 0)
            text_format(&names, "%s%s=%s", names.length ? ", " : "", entry->name, entry->value);
    error_set(err, STATUS_USAGE, "--%s expects %s, found '%s'; there are %s", option->name, option->value, part,
        text_str(&names));
    text_free(&names);
    return false;
}

// Takes each part of "name=value,name=value".
static bool take_parts(struct parser *p, const struct option_entry *option, const char *text) {
    for (const char *at = text, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ",");
        const char *part = arena_copy_n(p->arena, at, (size_t)(end - at)), *equals = strchr(part, '=');
        const struct option_entry *entry =
            equals ? find_part(p->command, option->name, part, (size_t)(equals - part)) : NULL;
        if (!entry) return unknown_part(p->command, option, part, p->err);
        if (!set(entry, equals + 1, p->out))
            return error_set(p->err, STATUS_USAGE, "--%s: %s expects %s, found '%s'", option->name, entry->name,
                entry->value, equals + 1);
    }
    return true;
}

static bool take(struct parser *p, const struct option_entry *entry, const char *text) {
    if (entry->kind == PARTS) return !(p->taken & entry->resumed) || take_parts(p, entry, text);
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

// Returns the word with the name of the operator that its first part means: "matmul/f16" for "gemm/f16".
static const char *word_meant(const struct parser *p, const char *word) {
    const size_t length = strcspn(word, "/");
    const struct op *op = p->command & SELECTING ? operator_meant(word, length) : NULL;
    for (const char *const *family = operator_families; *family; family++)
        if (strlen(*family) == length && memcmp(*family, word, length) == 0) op = NULL;
    return op ? arena_format(p->arena, "%s%s", operator_name(op), word + length) : word;
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
            return error_set(p->err, STATUS_USAGE, "unknown option %s; write options in full, such as --help", argv[i]);
        } else if (p->words) {
            const char *word = argv[i++];
            if (!(p->command & REPLAYS) || !capture_is_folder(word))
                p->words[p->out->word_count++] = word_meant(p, word);
            else if (p->out->captures.count < OPTION_LIST)
                p->out->captures.items[p->out->captures.count++] = word;
            else
                return error_set(p->err, STATUS_USAGE, "at most %d captured folders at once", OPTION_LIST);
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

// Draws the seed of a check without --seed. A kernel made for known inputs fails then.
// VKASSAY_SEED replaces the draw, for runs that must repeat. Shards have to agree, and a resumed run has a seed.
static void draw_seed(struct options *out) {
    const char *fixed = getenv("VKASSAY_SEED");
    const struct option_entry *seed = find(CHECK, "seed");
    uint32_t drawn;
    if (was_given(out, seed) || out->shard.count || out->shard.all || out->resume) return;
    if (fixed && *fixed)
        out->run.seed = strtoull(fixed, NULL, 10);
    else if (getrandom(&drawn, sizeof drawn, 0) == sizeof drawn)
        out->run.seed = drawn;
}

bool options_parse(struct arena *arena, int argc, char **argv, int first, enum command_set command, struct options *out,
    struct error *err) {
    struct parser all = {.arena = arena, .command = command, .taken = KEPT | AGAIN | APART, .out = out, .err = err};
    all.words = prepare(arena, argc, out);
    if (command == REPORT) out->effect = 0.01; // a history also requires more than a point's own noise
    out->argc = argc;
    out->argv = argv;
    const bool ok = parse(&all, argc, argv, first);
    if (ok && command & (CHECK | TRY)) draw_seed(out);
    return ok;
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
        if (entry->commands & command && !entry->part_of)
            each(&(struct option_words){entry->name, entry->value, entry->help}, user);
}

void help_row(const char *name, int column, const char *meaning) {
    char lead[64];
    snprintf(lead, sizeof lead, "  %-*s", column - 2, name);
    print_hanging(stdout, lead, meaning, column, HELP_WIDTH);
}

enum { HELP_COLUMN = 25 };

static void help_option(const struct option_entry *entry) {
    char left[60];
    if (entry->part_of)
        snprintf(left, sizeof left, "  %s=%s", entry->name, entry->value);
    else
        snprintf(left, sizeof left, "--%s%s%s", entry->name, entry->value ? " " : "", entry->value ? entry->value : "");
    // A longer name gets a line of its own.
    if (strlen(left) > HELP_COLUMN - 3) {
        printf("  %s\n", left);
        *left = '\0';
    }
    help_row(left, HELP_COLUMN, entry->help);
}

void options_help(enum command_set command) {
    puts("\nOptions:");
    for (const struct option_entry *entry = option_table; entry < option_table + OPTIONS; entry++)
        if (entry->commands & command) help_option(entry);
}
