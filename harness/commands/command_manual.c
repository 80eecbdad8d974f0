// SPDX-License-Identifier: Apache-2.0
// `manual`: prints the man page and shell completions, made from the tables of commands and options.
#include "../../reference/table.h"
#include "../base/file.h"
#include "../device/profile.h"
#include "../tune/search.h"
#include "command.h"
#include "compare_pair.h"
#include "prepare.h"

#include <stdio.h>
#include <string.h>

// ---- the man page

// Prints text with roff's special characters escaped.
static void put_roff(const char *text) {
    bool begins = true; // a line
    for (const char *c = text; *c; c++) {
        if (begins && (*c == '.' || *c == '\'')) fputs("\\&", stdout);
        if (*c == '\\')
            fputs("\\e", stdout);
        else if (*c == '-')
            fputs("\\-", stdout);
        else if (*c == '\'')
            fputs("\\(aq", stdout);
        else if (*c == '^' || *c == '~')
            fputs(*c == '^' ? "\\(ha" : "\\(ti", stdout);
        else if (*c == '`')
            fputs("\\(ga", stdout);
        else
            putchar(*c);
        begins = *c == '\n';
    }
}

static void put_option_roff(const struct option_words *option, void *user) {
    (void)user;
    fputs(".TP\n.B ", stdout);
    put_roff("--");
    put_roff(option->name);
    if (option->value) {
        fputs(" \\fI", stdout);
        put_roff(option->value);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    put_roff(option->help);
    putchar('\n');
}

static void put_command_roff(const struct command *command) {
    printf(".SS ");
    put_roff(command->name);
    putchar(' ');
    put_roff(command->arguments);
    putchar('\n');
    put_roff(command->summary);
    fputs(".\n", stdout);
    if (*command->text) {
        fputs(".PP\n.nf\n", stdout);
        put_roff(command->text);
        fputs("\n.fi\n", stdout);
    }
    if (command->results) printf(".PP\n%s", results_help);
    options_each(command->bit, put_option_roff, NULL);
}

static void put_manual(void) {
    fputs(
        ".TH VKASSAY 1\n.nh\n.ad l\n.SH NAME\nvkassay \\- are these Vulkan compute kernels right, how fast are they, "
        "and which "
        "workgroup size should I ship?\n.SH SYNOPSIS\n.B vkassay\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n"
        "Checks Vulkan compute kernels of tensor work against scalar references in double, in ULP; times them by GPU "
        "timestamps, transfer apart from compute; and searches workgroup shapes.\n.SH COMMANDS\n",
        stdout);
    for (const struct command *c = commands; c->name; c++) put_command_roff(c);
    fputs(".SH EXIT STATUS\n", stdout);
    for (size_t i = 0; i < exit_word_count; i++) {
        printf(".TP\n.B %d\n", exit_words[i].status);
        put_roff(exit_words[i].words);
        putchar('\n');
    }
}

// ---- shells

struct shell {
    struct arena *arena;
    const struct command *command;
};

static void add_word(struct text *words, const char *word, size_t length) {
    if (words->length) text_append(words, " ");
    text_append_n(words, word, length);
}

static void add_suites(struct arena *arena, struct text *words) {
    struct error ignored;
    const char *home = home_folder(arena, &ignored);
    char **paths;
    size_t count;
    if (!home || !file_list(arena, arena_format(arena, "%s/suites", home), ".json", &paths, &count, &ignored)) return;
    for (size_t i = 0; i < count; i++) {
        const char *name = strrchr(paths[i], '/') + 1;
        add_word(words, name, strlen(name) - strlen(".json"));
    }
}

// Appends the names in one of the program's tables.
static void add_named(const struct shell *shell, const char *option, struct text *words) {
    if (strcmp(option, "suite") == 0) add_suites(shell->arena, words);
    if (strcmp(option, "strategy") == 0)
        for (const struct strategy *s = strategies; s->name; s++) add_word(words, s->name, strlen(s->name));
    if (strcmp(option, "limits") == 0)
        for (int p = 0; p < PROFILES; p++) add_word(words, profiles[p].profile.name, strlen(profiles[p].profile.name));
    if (strcmp(option, "operator") == 0)
        for (size_t i = 0; operators[i]; i++)
            add_word(words, operator_name(operators[i]), strlen(operator_name(operators[i])));
    if (strcmp(option, "format") == 0) (shell->command->bit == EXPORT ? export_formats : compare_formats)(words);
}

// Returns the values of an option, separated by blanks, including words like "hot|cold". NULL: it takes any value.
static const char *choices(const struct shell *shell, const struct option_words *option) {
    struct text words = {0};
    if (!option->value) return NULL;
    add_named(shell, option->name, &words);
    if (!words.length && strchr(option->value, '|') && !strpbrk(option->value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        for (const char *at = option->value, *next; at; at = next ? next + 1 : NULL) {
            next = strchr(at, '|');
            add_word(&words, at, next ? (size_t)(next - at) : strlen(at));
        }
    return words.length ? arena_take(shell->arena, &words) : NULL;
}

static void put_name(const struct option_words *option, void *user) {
    (void)user;
    printf(" --%s", option->name);
}

static void put_bash_choice(const struct option_words *option, void *user) {
    const struct shell *shell = user;
    const char *words = choices(shell, option);
    if (words) printf("    %s\\ --%s) words='%s' ;;\n", shell->command->name, option->name, words);
}

static void put_bash(struct arena *arena) {
    fputs("# bash completion of vkassay, made by `vkassay manual bash`\n_vkassay() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} "
          "words=\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='",
        stdout);
    for (const struct command *c = commands; c->name; c++) printf("%s ", c->name);
    fputs("--help --version'\n        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n        return\n   "
          " fi\n"
          "    case \"$command $before\" in\n",
        stdout);
    for (const struct command *c = commands; c->name; c++) {
        struct shell shell = {arena, c};
        options_each(c->bit, put_bash_choice, &shell);
    }
    fputs("    esac\n    if [ -z \"$words\" ] && [ \"${word#-}\" != \"$word\" ]; then\n        case $command in\n",
        stdout);
    for (const struct command *c = commands; c->name; c++) {
        printf("        %s) words='", c->name);
        options_each(c->bit, put_name, NULL);
        puts("' ;;");
    }
    fputs("        esac\n    fi\n    COMPREPLY=()\n"
          "    if [ -n \"$words\" ]; then mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\"); fi\n"
          "    if [ ${#COMPREPLY[@]} -eq 0 ]; then mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); fi\n}\ncomplete "
          "-o filenames -F _vkassay "
          "vkassay\n",
        stdout);
}

// Escapes brackets and colons, which are special in an _arguments specification.
static void put_zsh_text(const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *c))
            printf("\\%c", *c);
        else
            putchar(*c);
    }
}

static void put_zsh_option(const struct option_words *option, void *user) {
    const struct shell *shell = user;
    const char *words = choices(shell, option);
    printf(" \\\n            '--%s[", option->name);
    put_zsh_text(option->help);
    putchar(']');
    if (option->value) {
        putchar(':');
        put_zsh_text(option->value);
        if (words)
            printf(":(%s)", words);
        else
            fputs(":_files", stdout);
    }
    putchar('\'');
}

static void put_zsh(struct arena *arena) {
    fputs("#compdef vkassay\n# zsh completion of vkassay, made by `vkassay manual zsh`\n_vkassay() {\n"
          "    local -a commands\n    commands=(\n",
        stdout);
    for (const struct command *c = commands; c->name; c++) {
        printf("        '%s:", c->name);
        put_zsh_text(c->summary);
        puts("'");
    }
    fputs("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
          "    shift words\n    (( CURRENT-- ))\n    case $words[1] in\n",
        stdout);
    for (const struct command *c = commands; c->name; c++) {
        struct shell shell = {arena, c};
        printf("        %s)\n            _arguments", c->name);
        options_each(c->bit, put_zsh_option, &shell);
        puts(" \\\n            '*: :_files'\n            ;;");
    }
    fputs("    esac\n}\n_vkassay \"$@\"\n", stdout);
}

// Escapes quotes and backslashes within '...'.
static void put_fish_text(const char *text) {
    for (const char *c = text; *c; c++) {
        if (strchr("'\\", *c)) putchar('\\');
        putchar(*c);
    }
}

static void put_fish_option(const struct option_words *option, void *user) {
    const struct shell *shell = user;
    const char *words = choices(shell, option);
    printf("complete -c vkassay -n '__fish_seen_subcommand_from %s' -l %s", shell->command->name, option->name);
    if (words)
        printf(" -x -a '%s'", words);
    else if (option->value)
        fputs(" -r", stdout);
    fputs(" -d '", stdout);
    put_fish_text(option->help);
    puts("'");
}

static void put_fish(struct arena *arena) {
    puts("# fish completion of vkassay, made by `vkassay manual fish`");
    for (const struct command *c = commands; c->name; c++) {
        struct shell shell = {arena, c};
        printf("complete -c vkassay -n __fish_use_subcommand -f -a %s -d '", c->name);
        put_fish_text(c->summary);
        puts("'");
        options_each(c->bit, put_fish_option, &shell);
    }
}

bool command_manual(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    static const struct {
        const char *name;
        void (*put)(struct arena *arena);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    (void)status;
    if (!options->word_count) {
        put_manual();
        return true;
    }
    for (size_t i = 0; options->word_count == 1 && i < sizeof shells / sizeof *shells; i++)
        if (strcmp(options->words[0], shells[i].name) == 0) {
            shells[i].put(arena);
            return true;
        }
    return error_set(err, STATUS_USAGE, "manual: expected nothing for the man page, or one of bash, zsh, fish");
}
