// SPDX-License-Identifier: Apache-2.0
// The parsed command line: one structure for every command, because options mean the same everywhere.
#ifndef VKASSAY_COMMANDS_OPTIONS_H
#define VKASSAY_COMMANDS_OPTIONS_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/text.h"
#include "../engine/plan/run_options.h"

#include <stddef.h>
#include <stdint.h>

// The commands as a set, so that an option can list its commands (options.c).
enum command_set {
    BENCH = 1 << 0,
    CHECK = 1 << 1,
    DEVICES = 1 << 2,
    LIST = 1 << 3,
    COMPARE = 1 << 4,
    AB = 1 << 5,
    GATE = 1 << 6,
    REPORT = 1 << 8,
    EXPORT = 1 << 11,
    TUNE = 1 << 12,
    MERGE = 1 << 13,
    MUTATE = 1 << 14,
    INIT = 1 << 15,
    SPIRV = 1 << 16,
    TRY = 1 << 17,
    CAPTURE = 1 << 18,
};

enum { OPTION_LIST = 32 };

struct option_list {
    const char *items[OPTION_LIST];
    size_t count;
};

struct options {
    uint64_t given[2];       // the options given, as bits by their place in the table
    struct run_options run;  // sent to the worker; its settings are only those given: options_settings
    const char *base, *head; // of ab: folders of kernels
    const char *suite, *device, *out, *resume, *strategy, *format, *junit, *baselines, *expectations;
    const char *claims;   // of report: a suite with claims to decide
    const char *peers;    // a peers.json to show beside results
    const char *limits;   // a profile's name or file; NULL: none
    bool with_graphics;   // a queue for graphics is opened too
    const char *defines;  // of init: a file of build lines (manifest/guess/build_lines.h)
    const char *names;    // of init: a project's dictionary (manifest/guess/dictionary.h)
    const char *recipe;   // of init: a new file for a recipe of CI
    const char *operator; // of try: the shader's operator
    const char *color;    // "auto", "always", "never"; NULL: not given
    const char *dims;     // sizes to replace the suite's, as given (plan/suite_sizes.h)
    const char *tier;     // of check: "smoke", "sampled", "exhaustive", "compile"; NULL: not given
    int random, shapes;   // of the sampled tier, for each kernel and type: further random cases; the most shapes. 0: as
                          // in tiers/sampled_tier.h
    struct input_range {
        uint64_t first, last;
    } range;                       // bits of the inputs of the exhaustive tier
    bool pairs;                    // the exhaustive tier includes operators of two 16-bit operands
    const char *only;              // a folder of kernels to use without the program's own
    struct option_list kernels;    // folders given with --kernels
    struct option_list captures;   // captured folders among the words
    struct option_list operators;  // shared objects given with --operators
    int count, jobs;               // mutants of a kernel; workers on one device. 0: not given
    bool all;                      // every mutant
    const char *mutant;            // one of them
    struct option_list operations; // globs over names of mutations
    double least_score;
    uint64_t most_bytes; // of capture; 0: not given
    double budget_s;
    struct shard {
        int index, count; // 0/0: the whole run
        bool all;         // "auto": over all devices like the chosen one
    } shard;
    double effect, ulp_factor; // of compare_rules
    bool reference_only;       // time scalar references without a device
    bool all_charts;           // of report: include charts omitted from its page
    bool quiet, json, help, trim, simulate, join, save_baseline, strict, allow_different, alike, history, times;
    const char *const *words; // the words that are not options, in order; ends with NULL
    size_t word_count;
    const struct device_info *began_on; // of a resumed run; NULL: its journal has no such device
    const char *left_out; // of a resumed run: recorded options that were dropped, as options_resume returns them
    bool *has_mistakes;   // set if a manifest has an error, to affect the exit status
    int argc;             // the program's original arguments, for the result's context
    char **argv;
};

// Parses argv[first..] for a command. Options may be anywhere; "--" ends them. STATUS_USAGE names the option, its
// expected value and similar names.
bool options_parse(struct arena *arena, int argc, char **argv, int first, enum command_set command, struct options *out,
    struct error *err);

// Overrides settings of a suite with those given on the command line.
void options_settings(const struct options *options, struct settings *settings);

// Makes the options of a resumed run. argv[first..] is its recorded command line, and `given` is the one with
// --resume. Options for reading and measuring are the recorded ones. Options naming files to load, run or write count
// only if given again. Appends to *left_out the recorded ones not given again, each with a blank before it, quoted
// for a shell.
bool options_resume(struct arena *arena, int argc, char **argv, int first, enum command_set command,
    const struct options *given, struct options *out, struct text *left_out, struct error *err);

// Appends the options of this command line that must be given again on resuming, in the same form.
void options_again(
    struct arena *arena, const struct options *options, int first, enum command_set command, struct text *out);

// An option of a command: its name without dashes, the name of its value (NULL: it takes none) and its help.
struct option_words {
    const char *name, *value, *help;
};
void options_each(enum command_set command, void (*each)(const struct option_words *option, void *user), void *user);

enum { HELP_WIDTH = 80 }; // columns

// Prints a name, and its meaning from the given column on, over several lines if needed.
void help_row(const char *name, int column, const char *meaning);

// Prints the help for a command's options.
void options_help(enum command_set command);

#endif
