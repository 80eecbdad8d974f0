// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include "../base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct option_value {
    struct arena *arena;
    struct options *options;
    const char *text;
};

static bool take_seed(const struct option_value *v) {
    char *end;
    errno = 0;
    v->options->seed = strtoull(v->text, &end, 0);
    return isdigit((unsigned char)*v->text) && *end == '\0' && errno == 0;
}

static bool take_seconds(const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out) && *out > 0;
}

static bool take_shard(const struct option_value *v) {
    int used = 0;
    return sscanf(v->text, "%d/%d%n", &v->options->shard_index, &v->options->shard_count, &used) == 2 &&
           v->text[used] == '\0' && v->options->shard_index >= 1 &&
           v->options->shard_index <= v->options->shard_count && v->options->shard_count <= 10000;
}

static bool take_cache(const struct option_value *v) {
    v->options->cache = (unsigned char)v->text[0];
    return strcmp(v->text, "hot") == 0 || strcmp(v->text, "cold") == 0;
}

static bool take_tier(const struct option_value *v) {
    v->options->tier = v->text;
    return strcmp(v->text, "smoke") == 0 || strcmp(v->text, "sampled") == 0 || strcmp(v->text, "exhaustive") == 0;
}

static bool take_count(const char *text, int most, int *out) {
    int used = 0;
    return sscanf(text, "%d%n", out, &used) == 1 && text[used] == '\0' && *out >= 1 && *out <= most;
}

static bool take_random(const struct option_value *v) {
    return take_count(v->text, 10000, &v->options->random);
}

static bool take_shapes(const struct option_value *v) {
    return take_count(v->text, 1000000, &v->options->shapes);
}

static bool take_clock(const struct option_value *v) {
    v->options->host_clock = strcmp(v->text, "host") == 0;
    return v->options->host_clock || strcmp(v->text, "gpu") == 0;
}

static bool take_interval(const struct option_value *v) {
    bool ok = take_seconds(v->text, &v->options->interval_s);
    v->options->interval_s *= 1e-3;
    return ok;
}

static bool take_kernels(const struct option_value *v) {
    if (v->options->kernel_count == OPTION_LIST) return false;
    v->options->kernels[v->options->kernel_count++] = v->text;
    return true;
}

// FROM:TO, 32 bits each, decimal or hexadecimal with 0x; both ends are in.
static bool take_range(const struct option_value *v) {
    char *end;
    if (!isdigit((unsigned char)*v->text)) return false;
    v->options->range_first = strtoull(v->text, &end, 0);
    if (*end != ':' || !isdigit((unsigned char)end[1])) return false;
    v->options->range_last = strtoull(end + 1, &end, 0);
    return *end == '\0' && v->options->range_first <= v->options->range_last && v->options->range_last <= UINT32_MAX;
}

static bool take_operators(const struct option_value *v) {
    if (v->options->operator_count == OPTION_LIST) return false;
    v->options->operators[v->options->operator_count++] = v->text;
    return true;
}

#define TEXT_OPTION(member)                                                                                            \
    static bool take_##member(const struct option_value *v) {                                                          \
        v->options->member = v->text;                                                                                  \
        return *v->text != '\0';                                                                                       \
    }
TEXT_OPTION(base)
TEXT_OPTION(head)
TEXT_OPTION(only)
TEXT_OPTION(suite)
TEXT_OPTION(wgsl_compiler)
TEXT_OPTION(device)
TEXT_OPTION(out)
TEXT_OPTION(resume)
TEXT_OPTION(strategy)
TEXT_OPTION(format)
TEXT_OPTION(junit)
TEXT_OPTION(baselines)
TEXT_OPTION(expectations)

static bool take_budget(const struct option_value *v) {
    return take_seconds(v->text, &v->options->budget_s);
}
static bool take_timeout(const struct option_value *v) {
    return take_seconds(v->text, &v->options->timeout_s);
}
static bool take_effect(const struct option_value *v) {
    char *end;
    v->options->effect = strtod(v->text, &end) / 100;
    return end != v->text && (*end == '\0' || strcmp(end, "%") == 0) && v->options->effect >= 0 &&
           v->options->effect < 10;
}
static bool take_ulp_factor(const struct option_value *v) {
    char *end;
    v->options->ulp_factor = strtod(v->text, &end);
    return end != v->text && *end == '\0' && v->options->ulp_factor >= 1; // "inf" too
}
static bool take_strict(const struct option_value *v) {
    return v->options->strict = true;
}
static bool take_history(const struct option_value *v) {
    return v->options->history = true;
}
static bool take_allow_different(const struct option_value *v) {
    return v->options->allow_different = true;
}
static bool take_quiet(const struct option_value *v) {
    return v->options->quiet = true;
}
static bool take_json(const struct option_value *v) {
    return v->options->json = true;
}
static bool take_validate(const struct option_value *v) {
    return v->options->validate = true;
}
static bool take_gpu_assisted(const struct option_value *v) {
    return v->options->gpu_assisted = v->options->validate = true;
}
static bool take_trim(const struct option_value *v) {
    return v->options->trim = true;
}
static bool take_agree(const struct option_value *v) {
    return v->options->agree = true;
}
static bool take_simulate(const struct option_value *v) {
    return v->options->simulate = true;
}
static bool take_pairs(const struct option_value *v) {
    return v->options->pairs = true;
}
static bool take_help(const struct option_value *v) {
    return v->options->help = true;
}

// What becomes of an option of a run when the run is resumed. A run's folder may come from somebody else, and the
// command line is in its journal: nothing is loaded, run or written that is named there alone.
enum when_resumed {
    KEPT = 1,  // it says what is read and measured: as recorded, and no other
    AGAIN = 2, // its value is loaded, run or written: only if it is given beside --resume again
    APART = 4, // it is about one call of the program: as given beside --resume
};

static const struct option_entry {
    const char *name;
    enum when_resumed resumed;
    const char *value, *help; // value NULL: a flag
    bool (*take)(const struct option_value *value);
} option_table[] = {
    {"suite", KEPT, "NAME|FILE", "suite to run, from suites/ or a file", take_suite},
    {"tier", KEPT, "smoke|sampled|exhaustive", "how much to check; default: sampled, unless a suite is given",
        take_tier},
    {"shapes", KEPT, "N", "check at most so many shapes of a kernel and type; default: 2 on a CPU, 16 on a GPU",
        take_shapes},
    {"random", KEPT, "N", "check N further cases of every kernel and type, of random shape and dims", take_random},
    {"device", KEPT, "WHICH", "index, part of the name, UUID, PCI id, or 'all'; default: the best there is",
        take_device},
    {"seed", KEPT, "N", "seed of the inputs; default 1", take_seed},
    {"base", KEPT, "DIR", "kernels before the change", take_base},
    {"head", KEPT, "DIR", "kernels after it", take_head},
    {"kernels", KEPT, "DIR", "load kernels from this folder too; may be given more than once", take_kernels},
    {"only", KEPT, "DIR", "the kernels of this folder and no others; of a suite what names them", take_only},
    {"operators", AGAIN, "FILE.so", "operators of your own (reference/README.md); may be given more than once",
        take_operators},
    {"wgsl-compiler", AGAIN, "COMMAND", "makes SPIR-V of WGSL; default: $VKASSAY_WGSL, else naga or tint",
        take_wgsl_compiler},
    {"out", APART, "DIR", "where results go; default reports/out", take_out},
    {"budget", KEPT, "SECONDS", "start no further point after this time", take_budget},
    {"cache", KEPT, "hot|cold", "time with warm caches, or with caches flushed before each sample", take_cache},
    {"clock", KEPT, "gpu|host", "time hot samples by the device's clock, or by the host's (a check of the former)",
        take_clock},
    {"interval", KEPT, "MS", "least length of an interval of hot samples; default: what the timer needs",
        take_interval},
    {"timeout", KEPT, "SECONDS", "time one point may take before its worker is killed; default 60", take_timeout},
    {"resume", APART, "DIR",
        "continue the interrupted run in this folder, by its own command line (README: what to give again)",
        take_resume},
    {"shard", KEPT, "I/N", "run the I-th of N parts (see merge)", take_shard},
    {"format", APART, "NAME", "form of what is written: --help of the command names them", take_format},
    {"expectations", KEPT, "FILE", "what is known to fail, to be flaky, or must be skipped (suites/README.md)",
        take_expectations},
    {"junit", AGAIN, "FILE", "write the outcome as JUnit XML too", take_junit},
    {"range", KEPT, "FROM:TO", "of the 32-bit inputs those whose bits are in this range, as 0x3f800000:0x3fffffff",
        take_range},
    {"pairs", KEPT, NULL, "every pair of inputs of operators of two 16-bit operands, too", take_pairs},
    {"validate", KEPT, NULL, "run under the Khronos validation layer; a message fails its point", take_validate},
    {"gpu-assisted", KEPT, NULL, "with --validate: the layer watches what shaders read and write too; slow",
        take_gpu_assisted},
    {"trim", KEPT, NULL, "leave raw samples out of the result", take_trim},
    {"strategy", KEPT, "NAME", "how to search; default: exhaustive for few shapes, race for more", take_strategy},
    {"agree", KEPT, NULL, "hold two tunes of one device against each other", take_agree},
    {"simulate", KEPT, NULL, "search recorded spaces, without a device, and say how well strategies do", take_simulate},
    {"effect", KEPT, "PERCENT", "least difference of two times that counts; default 3", take_effect},
    {"ulp-factor", KEPT, "FACTOR", "errors may grow by this factor; default 2, inf: as far as the bound",
        take_ulp_factor},
    {"strict", KEPT, NULL, "an ambiguous point fails too", take_strict},
    {"allow-different", KEPT, NULL, "compare although device, driver or seed differ, and say so", take_allow_different},
    {"history", KEPT, NULL, "one page of all results: each point from run to run, and where it changed", take_history},
    {"baselines", AGAIN, "DIR", "where baselines are kept; default reports/baselines", take_baselines},
    {"quiet", APART, NULL, "no progress line", take_quiet},
    {"json", APART, NULL, "print JSON", take_json},
    {"help", APART, NULL, "print this help", take_help},
};
enum { OPTIONS = sizeof option_table / sizeof option_table[0] };

bool options_allow(const char *allowed, const char *name) {
    size_t length = strlen(name);
    if (strcmp(name, "help") == 0) return true;
    for (const char *at = allowed; (at = strstr(at, name)); at += length)
        if ((at == allowed || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

static const struct option_entry *find(const char *allowed, const char *name) {
    for (int i = 0; i < OPTIONS; i++)
        if (strcmp(option_table[i].name, name) == 0 && options_allow(allowed, name)) return &option_table[i];
    return NULL;
}

static bool unknown(const char *allowed, const char *name, struct error *err) {
    const char *names[OPTIONS];
    size_t count = 0;
    for (int i = 0; i < OPTIONS; i++)
        if (options_allow(allowed, option_table[i].name)) names[count++] = option_table[i].name;
    const char *near = text_nearest(name, names, count);
    if (near) return error_set(err, STATUS_USAGE, "unknown option --%s; did you mean --%s?", name, near);
    return error_set(err, STATUS_USAGE, "unknown option --%s; --help lists what there is", name);
}

// A command line on its way into `out`.
struct parser {
    struct arena *arena;
    const char *allowed;
    unsigned taken;      // the sorts of options that count, of enum when_resumed
    bool given[OPTIONS]; // those that did
    struct options *out;
    const char **words; // room for all that are no options; NULL: they do not count
    struct text
        *left_out; // NULL, or receives options of the sort AGAIN that neither count nor did, as a shell takes them
    struct error *err;
};

static bool take(struct parser *p, const struct option_entry *entry, const char *text) {
    const struct option_value value = {p->arena, p->out, text};
    if (p->taken & entry->resumed) {
        p->given[entry - option_table] = true;
        if (entry->take(&value)) return true;
        return error_set(p->err, STATUS_USAGE, "--%s expects %s, found '%s'", entry->name, entry->value, text);
    }
    if (!p->left_out || entry->resumed != AGAIN || p->given[entry - option_table]) return true;
    text_format(p->left_out, " --%s ", entry->name);
    text_shell_word(p->left_out, text);
    return true;
}

// One option at argv[*at], "--name=value" or "--name value"; moves *at past what it used.
static bool parse_one(struct parser *p, int argc, char **argv, int *at) {
    const char *name = argv[*at] + 2, *equals = strchr(name, '='), *value = equals ? equals + 1 : "";
    if (equals) name = arena_copy_n(p->arena, name, (size_t)(equals - name));
    if (!name) return error_set(p->err, STATUS_FAULT, "out of memory");
    const struct option_entry *entry = find(p->allowed, name);
    if (!entry) return unknown(p->allowed, name, p->err);
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

// All options at their defaults, with room for the words of this command line.
static const char **prepare(struct arena *arena, int argc, struct options *out, struct error *err) {
    const char **words = arena_alloc(arena, (size_t)argc + 1, sizeof *words);
    *out = (struct options){
        .seed = 1, .timeout_s = 60, .range_last = UINT32_MAX, .effect = 0.03, .ulp_factor = 2, .words = words};
    if (!words) error_set(err, STATUS_FAULT, "out of memory");
    return words;
}

bool options_parse(struct arena *arena, int argc, char **argv, int first, const char *allowed, struct options *out,
    struct error *err) {
    struct parser all = {.arena = arena, .allowed = allowed, .taken = KEPT | AGAIN | APART, .out = out, .err = err};
    all.words = prepare(arena, argc, out, err);
    out->argc = argc;
    out->argv = argv;
    return all.words && parse(&all, argc, argv, first);
}

bool options_resume(struct arena *arena, int argc, char **argv, int first, const char *allowed,
    const struct options *given, struct options *out, struct text *left_out, struct error *err) {
    struct parser p = {.arena = arena, .allowed = allowed, .taken = AGAIN | APART, .out = out, .err = err};
    const char **words = prepare(arena, argc, out, err);
    if (!words || !parse(&p, given->argc, given->argv, first)) return false;
    p.taken = KEPT;
    p.words = words;
    p.left_out = left_out;
    out->argc = given->argc;
    out->argv = given->argv;
    return parse(&p, argc, argv, first) || error_prefix(err, "the recorded command line: ");
}

void options_again(
    struct arena *arena, const struct options *options, int first, const char *allowed, struct text *out) {
    struct options unused;
    struct error ignored;
    struct parser none = {.arena = arena, .allowed = allowed, .out = &unused, .left_out = out, .err = &ignored};
    parse(&none, options->argc, options->argv, first);
}

enum { HELP_COLUMN = 22 };

void options_help(const char *allowed) {
    puts("\nOptions:");
    for (int i = 0; i < OPTIONS; i++) {
        if (!options_allow(allowed, option_table[i].name)) continue;
        char left[40];
        snprintf(left, sizeof left, "--%s%s%s", option_table[i].name, option_table[i].value ? " " : "",
            option_table[i].value ? option_table[i].value : "");
        // What is longer than the column has its text on a line of its own.
        if (strlen(left) > HELP_COLUMN) {
            printf("  %s\n", left);
            *left = '\0';
        }
        printf("  %-*s %s\n", HELP_COLUMN, left, option_table[i].help);
    }
}
