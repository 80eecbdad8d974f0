// SPDX-License-Identifier: Apache-2.0
// A command is one verb of the program.
#ifndef VKASSAY_COMMANDS_COMMAND_H
#define VKASSAY_COMMANDS_COMMAND_H

#include "options.h"

// Runs the command. *status, STATUS_OK before, receives its outcome. False: it failed; err says why.
typedef bool command_run(struct arena *arena, const struct options *options, enum status *status, struct error *err);

struct command {
    const char *name, *arguments;
    const char *summary; // NULL: no list names the command
    const char *text;    // further help
    enum command_set bit;
    command_run *run;
    bool results;       // its words may be results; the folder of a run is replaced by the result in it
    void (*more)(void); // prints help made from a table, after the text; may be NULL
};

extern const struct command commands[]; // ends with a NULL name

command_run command_ab, command_bench, command_capture, command_check, command_compare, command_devices, command_export,
    command_gate, command_init, command_list, command_merge, command_mutate, command_report, command_spirv, command_try,
    command_tune;
void help_formats(void);
void export_formats(struct text *words); // their names, separated by blanks
void help_mutations(void);
void help_strategies(void);

// Prints the candidates for the last word of a command line, for the completions of shells.
enum status complete_main(const struct command *all, int count, char **words);

// Reads argv, runs the command and prints its error. Returns the exit status of the process.
enum status commands_main(int argc, char **argv);

// Returns the columns of the terminal. Without a terminal it returns $COLUMNS, as ls(1) does; 0: unknown.
int terminal_width(void);

#endif
