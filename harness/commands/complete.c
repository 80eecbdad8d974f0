// SPDX-License-Identifier: Apache-2.0
// `complete WORD...`: prints the candidates for the last word, a line each, with their meaning after a tab. Shells
// call it (completions/).
#include "../../reference/table.h"
#include "../base/file.h"
#include "../device/profile.h"
#include "../tune/tune_session.h"
#include "command.h"
#include "compare_pair.h"
#include "prepare.h"

#include <stdio.h>
#include <string.h>

// The choices for the last word: an option of the command, or a value of the option before it.
struct completion {
    struct arena *arena;
    const struct command *command;
    const char *option; // its name without dashes; NULL: options are wanted
};

static void put_suites(struct arena *arena) {
    struct error ignored;
    const char *home = home_folder(arena, &ignored);
    char **paths;
    size_t count;
    if (!home || !file_list(arena, arena_format(arena, "%s/suites", home), ".json", &paths, &count, &ignored)) return;
    for (size_t i = 0; i < count; i++) {
        const char *name = strrchr(paths[i], '/') + 1;
        printf("%.*s\n", (int)(strlen(name) - strlen(".json")), name);
    }
}

// Prints a text with blanks or bars between its words, a line each.
static void put_words(const char *words) {
    for (const char *c = words; *c; c++) putchar(*c == ' ' || *c == '|' ? '\n' : *c);
    putchar('\n');
}

// Prints the names in one of the program's tables.
static void put_named(const struct completion *wanted) {
    const char *option = wanted->option;
    if (strcmp(option, "suite") == 0) put_suites(wanted->arena);
    if (strcmp(option, "strategy") == 0)
        for (const struct strategy *s = strategies; s->name; s++) printf("%s\t%s\n", s->name, s->summary);
    if (strcmp(option, "limits") == 0)
        for (int p = 0; p < PROFILES; p++) puts(profiles[p].profile.name);
    if (strcmp(option, "operator") == 0)
        for (size_t i = 0; operators[i]; i++) puts(operator_name(operators[i]));
    if (strcmp(option, "format") == 0) {
        struct text words = {0};
        (wanted->command->bit == EXPORT ? export_formats : compare_formats)(&words);
        put_words(text_str(&words));
        text_free(&words);
    }
}

static void put_completion(const struct option_words *option, void *user) {
    const struct completion *wanted = user;
    if (!wanted->option) {
        printf("--%s\t%s\n", option->name, option->help);
        return;
    }
    if (!option->value || strcmp(option->name, wanted->option) != 0) return;
    put_named(wanted);
    // Words such as "hot|cold".
    if (strchr(option->value, '|') && !strpbrk(option->value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) put_words(option->value);
}

static void put_commands(const struct command *all) {
    for (const struct command *c = all; c->name; c++)
        if (c->summary) printf("%s\t%s\n", c->name, c->summary);
    puts("--help\n--version");
}

enum status complete_main(const struct command *all, int count, char **words) {
    struct arena arena = {0};
    struct completion wanted = {.arena = &arena, .command = all};
    const char *last = count ? words[count - 1] : "", *before = count > 2 ? words[count - 2] : "";
    if (count < 2) {
        put_commands(all);
        return STATUS_OK;
    }
    while (wanted.command->name && strcmp(wanted.command->name, words[0]) != 0) wanted.command++;
    if (*last != '-' && strncmp(before, "--", 2) == 0) wanted.option = before + 2;
    if (wanted.command->name && (wanted.option || *last == '-'))
        options_each(wanted.command->bit, put_completion, &wanted);
    arena_free(&arena);
    return STATUS_OK;
}
