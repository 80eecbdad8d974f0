// SPDX-License-Identifier: Apache-2.0
#include "replaced.h"

#include <string.h>

static const struct {
    const char *name, *now;
} commands[] = {
    {"baseline", "use `vkassay gate --save-baseline`"},
    {"claims", "use `vkassay bench --suite claims`, or `vkassay report --claims claims RESULT`"},
    {"compile", "use `vkassay check --tier compile`, or `vkassay report RESULT...` for several results"},
    {"coverage", "use `vkassay list coverage RESULT...`"},
    {"manual", "scripts/manual.sh makes the man page, and harness/commands/completions/ has the completions"},
    {"peaks", "use `vkassay bench --suite peaks`, or `vkassay report RESULT`"},
    {"store", "a store is a folder of results: copy them, and use `vkassay report --history FOLDER`"},
    {"table", "use `vkassay tune --join`"},
};

const char *replaced_command(const char *name) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0) return commands[i].now;
    return NULL;
}

static const struct {
    const char *name;
    unsigned commands; // enum command_set
    const char *now;
} options[] = {
    {"agree", TUNE, "compare the two tuned.json files"},
    {"gallery", REPORT, "name only the folder: `vkassay report FOLDER`"},
};

const char *replaced_option(enum command_set command, const char *name) {
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].commands & command && strcmp(options[i].name, name) == 0) return options[i].now;
    return NULL;
}
