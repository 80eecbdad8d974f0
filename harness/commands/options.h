// SPDX-License-Identifier: Apache-2.0
// The command line, parsed: one structure for every command, as their options mean the same everywhere.
#ifndef VKASSAY_COMMANDS_OPTIONS_H
#define VKASSAY_COMMANDS_OPTIONS_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/text.h"

#include <stddef.h>
#include <stdint.h>

enum { OPTION_LIST = 32 };

struct options {
    const char *base, *head; // of ab: folders of kernels
    const char *suite, *device, *out, *resume, *strategy, *format, *junit, *baselines, *expectations;
    const char *tier;   // of a check: "smoke", "sampled", "exhaustive"; NULL: not given
    int random, shapes; // of a kernel and type, for the sampled tier: further random cases; most shapes, 0: see
                        // plan/sample.h
    uint64_t range_first, range_last; // bits of the inputs of the exhaustive tier
    bool pairs;                       // it takes operators of two 16-bit operands, too
    const char *only;                 // a folder of kernels, to be taken without the program's own
    const char *kernels[OPTION_LIST]; // folders given with --kernels
    size_t kernel_count;
    const char *operators[OPTION_LIST]; // shared objects given with --operators
    size_t operator_count;
    const char *wgsl_compiler;
    uint64_t seed;
    double budget_s, timeout_s;
    double interval_s; // 0: as the timer needs
    bool host_clock;
    int cache;                    // 0: as the suite says; 'h', 'c'
    int shard_index, shard_count; // 0/0: whole
    double effect, ulp_factor;    // of compare_rules
    bool quiet, json, validate, gpu_assisted, help, trim, simulate, agree, strict, allow_different, history;
    const char *const *words; // what is no option, in order; ends with NULL
    size_t word_count;
    const char *left_out; // of a resumed run: recorded options that do not count, as options_resume gives them
    int argc;             // as the program was called, for the result's context
    char **argv;
};

// Whether a list of option names has this one.
bool options_allow(const char *allowed, const char *name);

// Parses argv[first..]; options may stand anywhere and "--" ends them. `allowed` is the command's list of option names,
// separated by spaces. STATUS_USAGE names the option, what it expects and what is near.
bool options_parse(
    struct arena *arena, int argc, char **argv, int first, const char *allowed, struct options *out, struct error *err);

// The options of a resumed run, from those it was started with (argv[first..], as recorded) and those `given` beside
// --resume: what is read and measured is as recorded; what is loaded, run or written only as it is given again.
// *left_out receives the recorded options that do not count therefore, each with a blank before it, as a shell takes
// them.
bool options_resume(struct arena *arena, int argc, char **argv, int first, const char *allowed,
    const struct options *given, struct options *out, struct text *left_out, struct error *err);

// Appends the options of this command line that have to be given again when its run is resumed, in the same form.
void options_again(
    struct arena *arena, const struct options *options, int first, const char *allowed, struct text *out);

// Lines of help for the allowed options.
void options_help(const char *allowed);

#endif
