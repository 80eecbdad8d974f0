// SPDX-License-Identifier: Apache-2.0
// A command: one verb of the program.
#ifndef VKASSAY_COMMANDS_COMMAND_H
#define VKASSAY_COMMANDS_COMMAND_H

#include "options.h"

// *status, STATUS_OK before, receives how it came out. False: it failed, and err says how.
typedef bool command_run(struct arena *arena, const struct options *options, enum status *status, struct error *err);

struct command {
    const char *name, *arguments, *summary;
    const char *text; // further help
    enum command_set bit;
    command_run *run;
    void (*more)(void); // prints help that is made of a table, behind the text; or NULL
};

extern const struct command commands[]; // ends with a NULL name

// What the program's exit status says.
struct exit_word {
    enum status status;
    const char *words;
};
extern const struct exit_word exit_words[];
extern const size_t exit_word_count;

command_run command_ab, command_baseline, command_bench, command_check, command_claims, command_compare,
    command_coverage, command_devices, command_export, command_gate, command_init, command_list, command_manual,
    command_merge, command_mutate, command_peaks, command_report, command_spirv, command_store, command_try,
    command_tune, command_tuned;
void help_formats(void);
void export_formats(struct text *words); // their names, with blanks between
void help_mutations(void);
void help_strategies(void);

// Reads argv, runs the command, prints an error; the process's exit status.
enum status commands_main(int argc, char **argv);

// Columns of the terminal; elsewhere those that COLUMNS says, as ls(1) has it; 0: not known.
int terminal_width(void);

// The path of this executable, in the arena.
char *program_path(struct arena *arena, struct error *err);

#endif
