// SPDX-License-Identifier: Apache-2.0
// A command: one verb of the program.
#ifndef VKASSAY_COMMANDS_COMMAND_H
#define VKASSAY_COMMANDS_COMMAND_H

#include "options.h"

struct command {
    const char *name, *arguments, *summary;
    const char *text; // further help
    enum command_set bit;
    // *status, STATUS_OK before, receives how it came out. False: it failed, and err says how.
    bool (*run)(struct arena *arena, const struct options *options, enum status *status, struct error *err);
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

bool command_ab(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_bench(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_baseline(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_check(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_compare(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_claims(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_coverage(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_devices(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_export(struct arena *arena, const struct options *options, enum status *status, struct error *err);
void help_formats(void);
void help_mutations(void);
void help_strategies(void);
bool command_gate(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_init(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_list(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_store(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_tuned(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_manual(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_merge(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_peaks(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_report(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_mutate(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_spirv(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_try(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool command_tune(struct arena *arena, const struct options *options, enum status *status, struct error *err);

// Reads argv, runs the command, prints an error; the process's exit status.
enum status commands_main(int argc, char **argv);

// Columns of the terminal; elsewhere those that COLUMNS says, as ls(1) has it; 0: not known.
int terminal_width(void);

// The path of this executable, in the arena.
char *program_path(struct arena *arena, struct error *err);

#endif
