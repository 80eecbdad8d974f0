// SPDX-License-Identifier: Apache-2.0
// The command line, parsed: one structure for every command, as their options mean the same everywhere.
#ifndef VKASSAY_COMMANDS_OPTIONS_H
#define VKASSAY_COMMANDS_OPTIONS_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/text.h"
#include "../run/run.h"

#include <stddef.h>
#include <stdint.h>

// The commands, as a set: an option says which of them take it (options.c).
enum command_set {
    BENCH = 1 << 0,
    CHECK = 1 << 1,
    DEVICES = 1 << 2,
    LIST = 1 << 3,
    COMPARE = 1 << 4,
    AB = 1 << 5,
    GATE = 1 << 6,
    BASELINE = 1 << 7,
    REPORT = 1 << 8,
    CLAIMS = 1 << 9,
    COVERAGE = 1 << 10,
    EXPORT = 1 << 11,
    TUNE = 1 << 12,
    MERGE = 1 << 13,
    MUTATE = 1 << 14,
    INIT = 1 << 15,
    SPIRV = 1 << 16,
    TABLE = 1 << 17,
    MANUAL = 1 << 18,
    STORE = 1 << 19,
    TRY = 1 << 20,
    PEAKS = 1 << 21,
};

enum { OPTION_LIST = 32 };

struct option_list {
    const char *items[OPTION_LIST];
    size_t count;
};

struct options {
    uint64_t given[2];       // those that were, as bits by their place in the table
    struct run_options run;  // what travels to the worker; of its settings those that were given: options_settings
    const char *base, *head; // of ab: folders of kernels
    const char *suite, *device, *out, *resume, *strategy, *format, *junit, *baselines, *expectations;
    const char *peers;    // a peers.json to show beside results
    const char *gallery;  // a folder of results, for one page of all
    const char *limits;   // a profile's name or file; NULL: none
    uint64_t max_buffer;  // bytes; 0: as the device has it
    const char *before;   // of a store: the runs that were started earlier are pruned
    int keep;             // of a store: so many runs of each driver and suite stay; 0: not given
    const char *costs;    // of shards: an earlier result that says what points take
    const char *operator; // of try: whose shader it is
    const char *color;    // "auto", "always", "never"; NULL: not given
    const char *dims;     // sizes in place of the suite's, as given (plan/suite_sizes.h)
    const char *tier;     // of a check: "smoke", "sampled", "exhaustive"; NULL: not given
    int random, shapes;   // of a kernel and type, for the sampled tier: further random cases; most shapes, 0: see
                          // plan/sample.h
    struct input_range {
        uint64_t first, last;
    } range;                       // bits of the inputs of the exhaustive tier
    bool pairs;                    // it takes operators of two 16-bit operands, too
    const char *only;              // a folder of kernels, to be taken without the program's own
    struct option_list kernels;    // folders given with --kernels
    struct option_list operators;  // shared objects given with --operators
    int count, jobs;               // of mutants of a kernel; workers on one device. 0: not given
    bool all;                      // every mutant
    const char *mutant;            // one of them
    struct option_list operations; // globs over names of mutations
    double least_score;
    double budget_s;
    struct shard {
        int index, count; // 0/0: whole
        bool all;         // "auto": over all devices that are like the chosen one
    } shard;
    double effect, ulp_factor; // of compare_rules
    bool reference_only;       // scalar references and no device
    bool all_charts;           // of a report: those too that its page leaves out
    bool quiet, json, help, trim, simulate, agree, strict, allow_different, alike, history;
    bool together;            // devices that compute on the host's cores are timed beside others
    const char *const *words; // what is no option, in order; ends with NULL
    size_t word_count;
    const struct device_info *began_on; // of a resumed run; NULL: its journal has no such device
    const char *left_out; // of a resumed run: recorded options that do not count, as options_resume gives them
    bool *slipped;        // set where a manifest has a slip: the exit status says so
    int argc;             // as the program was called, for the result's context
    char **argv;
};

// Whether the command takes the option of this name.
bool options_allow(enum command_set command, const char *name);

// Parses argv[first..] for a command; options may stand anywhere and "--" ends them. STATUS_USAGE names the option,
// what it expects and what is near.
bool options_parse(struct arena *arena, int argc, char **argv, int first, enum command_set command, struct options *out,
    struct error *err);

// Those settings of a suite that were given on the command line, over the suite's own.
void options_settings(const struct options *options, struct settings *settings);

// The options of a resumed run, from those it was started with (argv[first..], as recorded) and those `given` beside
// --resume: what is read and measured is as recorded; what is loaded, run or written only as it is given again.
// *left_out receives the recorded options that do not count therefore, each with a blank before it, as a shell takes
// them.
bool options_resume(struct arena *arena, int argc, char **argv, int first, enum command_set command,
    const struct options *given, struct options *out, struct text *left_out, struct error *err);

// Appends the options of this command line that have to be given again when its run is resumed, in the same form.
void options_again(
    struct arena *arena, const struct options *options, int first, enum command_set command, struct text *out);

// The options of a command, in the order of its help: their names without dashes, what their value is called (NULL:
// they take none) and what they do.
struct option_words {
    const char *name, *value, *help;
};
void options_each(enum command_set command, void (*each)(const struct option_words *option, void *user), void *user);

enum { HELP_WIDTH = 80 }; // columns

// A line of help, or several: a name and what it means, from that column on.
void help_row(const char *name, int column, const char *meaning);

// Lines of help for the options of a command.
void options_help(enum command_set command);

#endif
