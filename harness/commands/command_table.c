// SPDX-License-Identifier: Apache-2.0
#include "../readers/render/format.h"
#include "command.h"
#include "help.h" // made of help/*.txt
#include "replaced.h"
#include "../base/kind.h"
#include "../base/text.h"
#include "../record/result.h"
#include "../engine/supervise/supervise.h"
#include "../record/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct command commands[] = {
    {"bench", "[SELECT...]", "check every point, then time it", help_bench, BENCH, .run = command_bench},
    {"check", "[SELECT...]", "check without timing: ULP, guards, identical bits", help_check, CHECK,
        .run = command_check},
    {"capture", "[--out DIR] -- COMMAND...", "record the compute dispatches of any Vulkan program", help_capture,
        CAPTURE, .run = command_capture},
    {"devices", "", "list devices with their limits and features", "Devices are listed best first.", DEVICES,
        .run = command_devices},
    {"try", "SHADER [SHADER] --operator NAME", "check and time one shader, or two interleaved, without a manifest",
        help_try, TRY, .run = command_try},
    {"init", "OPERATOR SHADER... | DIR | SHADER...", "guess a manifest from shaders, or from a captured folder",
        help_init, INIT, .run = command_init},
    {"list", "[operators|kernels|suites|points|bounds|schemas|sources|coverage] [SELECT...|RESULT...]",
        "list operators, kernels, suites, points or bounds", help_list, LIST, .run = command_list, .results = true},
    {"compare", "BASE NEW", "compare two results, point by point", help_compare, COMPARE, .run = command_compare,
        .results = true},
    {"ab", "--base DIR --head DIR [SELECT...]", "measure two kernel folders pair by pair", help_ab, AB,
        .run = command_ab},
    {"gate", "[SELECT... | --save-baseline SELECT...|RESULT...]", "run the gate suite and compare it with the baseline",
        help_gate, GATE, .run = command_gate, .results = true},
    {"report", "RESULT... | FOLDER", "tables, charts and an HTML page of results", help_report, REPORT,
        .run = command_report, .results = true},
    {"mutate", "[SELECT...]", "break kernels in small ways, to test their check", help_mutate, MUTATE,
        .run = command_mutate, .more = help_mutations},
    {"export", "RESULT... --format NAME", "convert results to formats of other programs", help_export, EXPORT,
        .run = command_export, .results = true, .more = help_formats},
    {"tune", "[SELECT... | --simulate RESULT... | --join DIR|RESULT... --out FILE]",
        "search for the best shapes; write the tuned table", help_tune, TUNE, .run = command_tune, .results = true,
        .more = help_strategies},
    {"merge", "RESULT... --out FILE", "join the shards of a run into one result", help_merge, MERGE,
        .run = command_merge, .results = true},
    {"spirv", "", NULL, help_spirv, SPIRV, .run = command_spirv},
    {0},
};

// ---- the standard streams

// Closes standard output last of all and returns the exit status. A write error turns STATUS_OK into STATUS_FAULT,
// and is always reported on standard error.
static enum status output_close(enum status status) {
    bool failed = ferror(stdout);
    errno = 0;
    failed = fclose(stdout) != 0 || failed;
    if (!failed) return status;
    fprintf(stderr, "vkassay: cannot write standard output%s%s; its output is incomplete, files are complete\n",
        errno ? ": " : "", errno ? strerror(errno) : "");
    return status == STATUS_OK ? STATUS_FAULT : status;
}

// The meaning of each exit status, in words.
static const struct {
    enum status status;
    const char *words;
} exit_words[] = {
    {STATUS_OK, "all points passed"},
    {STATUS_WRONG, "a wrong result"},
    {STATUS_SLOWER, "slower than the baseline"},
    {STATUS_NOTHING, "nothing selected was measured"},
    {STATUS_PARTIAL, "all that ran passed, but the run is incomplete"},
    {STATUS_USAGE, "usage error"},
    {STATUS_BAD_INPUT, "bad input file"},
    {STATUS_NO_DEVICE, "no usable device"},
    {STATUS_FAULT, "an internal error, or output was lost"},
};

// Lists the commands that a newcomer needs, and names the others.
static void print_commands(void) {
    static const enum command_set usual[] = {TRY, BENCH, CHECK, TUNE, AB, GATE, REPORT, DEVICES};
    enum command_set shown = 0;
    struct text others = {0};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        for (const struct command *c = commands; c->name; c++) {
            if (c->bit != usual[i]) continue;
            printf("  %-9s %s\n", c->name, c->summary);
            shown |= c->bit;
        }
    for (const struct command *c = commands; c->name; c++)
        if (c->summary && !(shown & c->bit)) text_format(&others, "%s%s", others.length ? ", " : "", c->name);
    puts("");
    print_words(stdout, "More: ", &others, 0, HELP_WIDTH);
}

static void print_help(void) {
    struct text statuses = {0};
    puts("vkassay: are these Vulkan compute kernels right, how fast are they, and which\nworkgroup size should I "
         "ship?\n\n"
         "Usage: vkassay COMMAND [OPTIONS]\n");
    print_commands();
    for (size_t i = 0; i < sizeof exit_words / sizeof *exit_words; i++)
        text_format(&statuses, "%s%d %s", i ? "; " : "", exit_words[i].status, exit_words[i].words);
    puts("\n`vkassay COMMAND --help` (or -h) lists the options of a command; `vkassay\n--version` prints the version.");
    print_words(stdout, "Exit status: ", &statuses, 0, HELP_WIDTH);
}

static bool unknown_command(const char *name, struct error *err) {
    const char *names[32];
    size_t count = 0;
    for (const struct command *c = commands; c->name && count < 32; c++)
        if (c->summary) names[count++] = c->name;
    const char *now = replaced_command(name), *near = text_nearest(name, names, count);
    if (now) return error_set(err, STATUS_USAGE, "`vkassay %s` is gone: %s", name, now);
    if (near) return error_set(err, STATUS_USAGE, "unknown command '%s'; did you mean '%s'?", name, near);
    return error_set(err, STATUS_USAGE, "unknown command '%s'; `vkassay --help` lists the commands", name);
}

// Returns whether to use colour. By https://no-color.org, any non-empty NO_COLOR disables it.
static bool wants_colour(const struct options *options) {
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (options->color && strcmp(options->color, "auto") != 0) return strcmp(options->color, "always") == 0;
    return isatty(STDOUT_FILENO) && !(none && *none) && !(terminal && strcmp(terminal, "dumb") == 0);
}

// Prints one item of a list. Two blanks separate its key from its meaning.
static void print_item(const char *item) {
    const size_t indent = strspn(item, " ");
    const char *gap = strstr(item + indent, "  ");
    const size_t lead = gap ? (size_t)(gap - item) + strspn(gap, " ") : indent;
    struct text start = {0};
    text_append_n(&start, item, lead);
    print_hanging(stdout, text_str(&start), item + lead, (int)(gap ? lead : indent ? indent + 2 : 0), HELP_WIDTH);
    text_free(&start);
}

// Reflows the lines of a help text. Lines from the first column on form one paragraph. An indented line begins an
// item and owns the lines indented further.
static void print_text(const char *text) {
    struct text here = {0};
    size_t indent = 0;
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n"), blanks = strspn(line, " ");
        if (here.length && (indent ? blanks <= indent : blanks > 0)) {
            print_item(text_str(&here));
            text_free(&here);
        }
        if (!here.length) indent = blanks;
        const size_t skipped = here.length ? blanks : 0;
        if (here.length) text_append(&here, " ");
        text_append_n(&here, line + skipped, length - skipped);
        line += length + (line[length] == '\n');
    }
    if (here.length) print_item(text_str(&here));
    text_free(&here);
}

// A line of help for commands whose words may be results.
static const char results_help[] = "A result is its file or the folder of its run. Each file may be "
                                   "compressed by gzip.\n";

// Replaces the folders of runs by the results in them.
static void take_results(struct arena *arena, struct options *options) {
    const char **words = arena_alloc(arena, options->word_count + 1, sizeof *words);
    for (size_t i = 0; i < options->word_count; i++) words[i] = kind_run_result(arena, options->words[i]);
    options->words = words;
}

static bool run_command(
    struct arena *arena, int argc, char **argv, bool *has_mistakes, enum status *status, struct error *err) {
    const struct command *command = commands;
    struct options options;
    while (command->name && strcmp(command->name, argv[1]) != 0) command++;
    if (!command->name) return unknown_command(argv[1], err);
    if (!options_parse(arena, argc, argv, 2, command->bit, &options, err)) return false;
    if (!options.help && options.word_count && !*command->arguments)
        return error_set(err, STATUS_USAGE, "%s takes no arguments, found '%s'", command->name, options.words[0]);
    options.has_mistakes = has_mistakes;
    colour_use(wants_colour(&options));
    if (command->results) take_results(arena, &options);
    if (!options.help) return command->run(arena, &options, status, err);
    printf("Usage: vkassay %s %s\n\n", command->name, command->arguments);
    print_text(command->text);
    if (command->more) command->more();
    if (command->results) print_text(results_help);
    options_help(command->bit);
    return true;
}

// Runs the command. Flushes standard output before it prints an error.
static enum status run_and_say(int argc, char **argv) {
    struct arena arena = {0};
    struct error err = {0};
    enum status status = STATUS_OK;
    bool has_mistakes = false; // a requested kernel may be missing because of an error in its manifest
    if (!run_command(&arena, argc, argv, &has_mistakes, &status, &err)) {
        fflush(stdout);
        fputs("vkassay: ", stderr);
        print_plain(stderr, err.text, 0); // it may repeat a name of a file, or a text in it
        fputs("\n", stderr);
        status = has_mistakes && err.status == STATUS_USAGE ? STATUS_BAD_INPUT : err.status;
    }
    if (has_mistakes) status = status_join(status, STATUS_BAD_INPUT);
    arena_free(&arena);
    return status;
}

enum status commands_main(int argc, char **argv) {
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    // /dev/null is opened for closed standard streams. Otherwise the first opened file would take their number and
    // receive the output. Writing to the stand-in of standard output fails, as for a closed stream.
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd) _exit(STATUS_FAULT);
    signal(SIGPIPE, SIG_IGN); // otherwise a pipe to head(1) would end a run
    signal(SIGXFSZ, SIG_IGN); // beyond `ulimit -f`, a write fails with a message
    setlocale(LC_ALL, "C");   // numbers use a decimal point, whatever the user's locale
    if (argc > 1 && strcmp(argv[1], "worker") == 0) return worker_main();
    if (argc > 1 && strcmp(argv[1], "complete") == 0) return output_close(complete_main(commands, argc - 2, argv + 2));
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        puts(context_tool());
        return output_close(STATUS_OK);
    }
    if (argc == 3 && strcmp(argv[1], "help") == 0) {
        char help[] = "--help", *command_help[] = {argv[0], argv[2], help, NULL};
        return output_close(run_and_say(3, command_help));
    }
    if (argc >= 2 && strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "-h") != 0 && strcmp(argv[1], "help") != 0)
        return output_close(run_and_say(argc, argv));
    print_help();
    return output_close(argc < 2 ? STATUS_USAGE : STATUS_OK);
}
