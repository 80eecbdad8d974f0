// SPDX-License-Identifier: Apache-2.0
#include "replaced.h"

#include <string.h>

enum { TIMED = BENCH | AB | GATE | TUNE | TRY };

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
    {"cache", TIMED, "use --timing cache=hot or cache=cold"},
    {"clock", BENCH, "use --timing clock=host"},
    {"costs", BENCH | CHECK, "shards are cut by estimated times"},
    {"energy", BENCH, "use --timing energy=on"},
    {"gallery", REPORT, "name only the folder: `vkassay report FOLDER`"},
    {"interval", BENCH, "use --timing interval=MS"},
    {"json", COMPARE | AB | GATE, "use --format json"},
    {"max-buffer", ~0U, "use --limits FILE, with storage_range"},
    {"memory-share", ~0U, "use a suite with the setting memory_share"},
    {"precision", TIMED, "use --timing precision=PERCENT"},
    {"reference-only", BENCH, "use --device none"},
    {"samples", TIMED, "use --timing samples=N"},
    {"seconds", TIMED, "use --timing seconds=SECONDS"},
    {"together", ~0U, "a device of the host's cores is timed by itself"},
};

const char *replaced_option(enum command_set command, const char *name) {
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].commands & command && strcmp(options[i].name, name) == 0) return options[i].now;
    return NULL;
}
