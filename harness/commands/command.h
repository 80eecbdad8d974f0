// SPDX-License-Identifier: Apache-2.0
// A command: one verb of the program.
#ifndef VKASSAY_COMMANDS_COMMAND_H
#define VKASSAY_COMMANDS_COMMAND_H

#include "options.h"

struct command {
    const char *name, *arguments, *summary;
    const char *text; // further help
    enum command_set bit;
    // The exit status; below 0: it failed, and err says how.
    int (*run)(struct arena *arena, const struct options *options, struct error *err);
    void (*more)(void); // prints help that is made of a table, behind the text; or NULL
};

extern const struct command commands[]; // ends with a NULL name

int command_ab(struct arena *arena, const struct options *options, struct error *err);
int command_bench(struct arena *arena, const struct options *options, struct error *err);
int command_baseline(struct arena *arena, const struct options *options, struct error *err);
int command_check(struct arena *arena, const struct options *options, struct error *err);
int command_compare(struct arena *arena, const struct options *options, struct error *err);
int command_claims(struct arena *arena, const struct options *options, struct error *err);
int command_coverage(struct arena *arena, const struct options *options, struct error *err);
int command_devices(struct arena *arena, const struct options *options, struct error *err);
int command_export(struct arena *arena, const struct options *options, struct error *err);
void help_formats(void);
void help_strategies(void);
int command_gate(struct arena *arena, const struct options *options, struct error *err);
int command_list(struct arena *arena, const struct options *options, struct error *err);
int command_merge(struct arena *arena, const struct options *options, struct error *err);
int command_report(struct arena *arena, const struct options *options, struct error *err);
int command_tune(struct arena *arena, const struct options *options, struct error *err);

// Reads argv, runs the command, prints an error; the process's exit status.
int commands_main(int argc, char **argv);

// The path of this executable, in the arena.
char *program_path(struct arena *arena, struct error *err);

#endif
