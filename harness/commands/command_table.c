// SPDX-License-Identifier: Apache-2.0
#include "../render/colour.h"
#include "../render/format.h"
#include "command.h"
#include "../base/text.h"
#include "../record/result.h"
#include "../supervise/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct command commands[] = {
    {"bench", "[SELECT...]", "check every point, then time it",
        "Runs a suite (default: quick): each point is checked against the scalar reference and then timed. Prints\n"
        "a table per operator and writes the result, charts and one HTML page to reports/out/DEVICE/RUN/.\n"
        "SELECT is a pattern over point names, as 'matmul.*' or '*/f16/*', or the name of an operator or of a\n"
        "family, as softmax or reduction/f16; a whole name runs that point alone.",
        BENCH, .run = command_bench},
    {"check", "[SELECT...]", "check only: ULP against the reference, guards, equal bits",
        "Without a suite it checks a tier. smoke: the smoke suite. sampled, the default: that, and every kernel\n"
        "and type in its default shape and others (--shapes), which hold as many values of its tunables as they\n"
        "can; each shape at a case of the suite and at sizes beside its tiles, its workgroup and its vectors,\n"
        "primes, thin and wide ones. --seed decides what is drawn.\n"
        "exhaustive: every input there is, 2^32 or 2^16, for every elementwise kernel of one operand, at its\n"
        "default shape; the worst argument of each in a table, which goes to exhaustive.md beside the result,\n"
        "too.\n"
        "SELECT is as for bench; a whole point name replays that point:\n"
        "  vkassay check 'relu.scalar/f32/n=1025/wg=64x1x1' --seed 7",
        CHECK, .run = command_check},
    {"devices", "", "every device with its limits and features", "Devices are listed best first.", DEVICES,
        .run = command_devices},
    {"peaks", "[RESULT...]", "what the device can do at most, on one screen",
        "Measures the suite peaks, or takes a RESULT of such a run made elsewhere: memory (copy, read, write), "
        "caches,\n"
        "shared memory, multiply-adds and dot products of every type, matrix units in the types and sizes that the\n"
        "device lists, launches, submissions, transfers each way. Each figure has its 95 % interval and the point\n"
        "that it is of; what the device lacks is named. Every kernel is checked before it is timed. The result is\n"
        "one as bench leaves it: compare, report and export take it.",
        PEAKS, .run = command_peaks},
    {"try", "SHADER --operator NAME", "one shader, without a manifest: checked, then timed",
        "Guesses a manifest as `init` does, checks the shader at small, odd and large sizes of its operator and times\n"
        "it: one table. Manifest and suite are kept under try/ in --out or reports/out, to be mended and used on.\n"
        "  vkassay try relu.comp --operator relu --dims n=4M",
        TRY, .run = command_try},
    {"init", "OPERATOR SHADER... | DIR | SHADER...", "a manifest guessed from shaders",
        "Reads what the shaders say of themselves (bindings and what each is used for, parameters with their types "
        "and\n"
        "names, workgroup size, entry points, constants) and prints a manifest, or writes it to the new file of "
        "--out.\n"
        "Operators follow from the names of files and entry points where none is given, operands and parameters from\n"
        "theirs. What is guessed stands in \"notes\" of the kernel, and on standard error with what could not be "
        "placed.\n"
        "Exit status: 3 nothing could be placed; 4 not all.",
        INIT, .run = command_init},
    {"list", "[operators|kernels|suites|points|sources] [SELECT...]", "what there is to run",
        "`list operators NAME` says all that a manifest or a suite may name of an operator: dims, operands and\n"
        "parameters with what they are, its formula and its bound. NAME is that of an operator or of a family, or\n"
        "a pattern. `list points` plans a suite on a device and prints the names of its points. `list sources "
        "RESULT...`\n"
        "names the kernels whose sources differ now from those that the results measured.",
        LIST, .run = command_list},
    {"compare", "BASE NEW", "verdict of each point of two results",
        "Compares the compute medians of two results of one device, driver and seed, point by point. The ratio\n"
        "has a 95 % interval made of those of the two medians; a rank test is corrected by Holm's rule over all\n"
        "points.\n"
        "  slower, faster   the interval lies wholly beyond the least effect (--effect), and the test agrees\n"
        "  same             it lies wholly within\n"
        "  ambiguous        neither, or the two measurements cannot be compared, or what was measured beside the\n"
        "                   slower one explains the whole difference: the reference kernel took F times its time (a\n"
        "                   throttled GPU), the shader clock fell by F, or other work left a CPU 1/F of its cores (at\n"
        "                   most 20). Beyond F and the least effect a point is slower, whatever went on beside it\n"
        "  wrong            not right in NEW, or its error grew by more than --ulp-factor and above 1 % of its bound;\n"
        "                   of a kernel whose bits are not the same twice, in every run by that over the base's "
        "largest\n"
        "                   and above half its bound\n"
        "  fixed, new, removed   as they say\n"
        "Exit status: 1 a point is wrong; 2 one is slower (or ambiguous, with --strict); 3 no point is in both; 4\n"
        "all that is in both held, and NEW is of a run that was cut short; 65 the results are of different\n"
        "devices, drivers or seeds, and --allow-different was not given. That they were held to different profiles\n"
        "of limits is said. --format is text, markdown (for a comment on a merge request) or json.",
        COMPARE, .run = command_compare},
    {"ab", "--base DIR --head DIR [SELECT...]", "two kernel folders measured pair by pair",
        "Times each point of both folders in turns, in an order drawn anew for every four samples (A B B A or B A\n"
        "A B), in one process on one device, so that what disturbs one disturbs the other: for machines too noisy\n"
        "for `compare`. The verdict is that of the paired ratios: their median, its 95 % interval, and Wilcoxon's\n"
        "signed-rank test corrected by Holm's rule over all points; words, formats and exit status are those of\n"
        "`compare`. Points are those that the suite (default: gate) has of the kernels in each folder; what only\n"
        "one of them has is new or removed, and not timed against anything. A driver that crashes or hangs costs\n"
        "the point it was at. Exit status 4 too: the run was interrupted.",
        AB, .run = command_ab},
    {"gate", "[SELECT...]", "run the gate suite and compare it with the baseline",
        "Runs a suite (default: gate) and compares it with the baseline of this device, driver and suite, as\n"
        "`compare` does; the last line is the verdict. Points that seem slower are measured once more, and the\n"
        "faster of the two counts: a busy host has good and bad seconds. Without a baseline nothing is run and\n"
        "the status is 65: `vkassay baseline` makes one. Points of the baseline that the run lacks are named, and it\n"
        "does not hold: status 4, where nothing was wrong or slower; so where it was cut short. A SELECT (or --only,\n"
        "with a baseline of more than that folder) narrows what is expected, as do --expectations of skips.",
        GATE, .run = command_gate},
    {"baseline", "[RESULT...]", "keep a result to compare against",
        "Runs a suite (default: gate) and keeps its result under reports/baselines/DEVICE-DRIVER/, or keeps\n"
        "RESULT, made elsewhere, there. Only what comparing needs is kept: of the times, those of compute alone.\n"
        "What a run that was cut short left is not kept.",
        BASELINE, .run = command_baseline},
    {"report", "RESULT... | --gallery DIR", "tables, charts and one HTML page of results",
        "Writes the charts and report.html beside each result, or under --out. Results of different devices make\n"
        "devices.html too, what the best shapes of one cost on another, in --out or reports/out/devices. With\n"
        "--history it writes history.html of all of them together, results of one device in any order: each\n"
        "point's median from run to run, and the runs at which its level changed by --effect or more; to --out,\n"
        "or else to reports/out/DEVICE/history. With --gallery it writes gallery.html of every result in a folder, a\n"
        "card for each device: bars by family, best shapes and what they cost elsewhere, links to the pages there.",
        REPORT, .run = command_report},
    {"claims", "[RESULT...]", "what systems say of GPUs, held against this device",
        "Runs the points that the claims of a suite (default: claims) are decided by, or takes a RESULT of such a\n"
        "run made elsewhere. Prints each claim with what was measured: holds, does not hold, or cannot be\n"
        "measured here and why; writes claims.html with its charts and claims.md beside the result, or under\n"
        "--out. Whether claims hold does not change the exit status.",
        CLAIMS, .run = command_claims},
    {"coverage", "RESULT...", "which operators pass in which types and where, as markdown",
        "Prints every operator with its kernels and element types, and a column for each result with what came of\n"
        "its points there; then how many operators of each system hold. Files of another kind, tables and\n"
        "spaces, are named and passed over.",
        COVERAGE, .run = command_coverage},
    {"mutate", "[SELECT...]", "break kernels in small ways: would their check notice?",
        "Breaks the SPIR-V of each kernel in small ways (mutants), runs each mutant through what `check` runs of the "
        "kernel "
        "until\n"
        "a check fails, and says what became of it:\n"
        "  killed     a check failed; so is one that hangs, crashes or loses the device\n"
        "  survived   its outputs have other bits somewhere, and every check held: a hole, or within what is allowed\n"
        "  unseen     the same bits everywhere: equivalent, or its instruction is never reached\n"
        "  invalid    no legal module\n"
        "The score is killed / (killed + survived). Which mutants are made follows from --seed, as do the points. "
        "Results "
        "go to\n"
        "reports/out/DEVICE/RUN-mutants/; --resume goes on there, given the same command line otherwise. "
        "harness/mutate/README.md\n"
        "says how to read what survived. Exit status: 1 the score is below --least-score; 3 nothing was run; 4 it was "
        "interrupted.",
        MUTATE, .run = command_mutate, .more = help_mutations},
    {"spirv", "", "SPIR-V beside the sources of shaders that need a newer compiler",
        "Compiles every shader with an extension that older compilers of GLSL lack (cooperative matrices, bfloat16,\n"
        "dot products of integers) by the glslc that VKASSAY_GLSLC names, a command, and writes what comes of it to\n"
        "spirv/ beside the source, a file for each text that the preprocessor gives; a file whose text is no more is\n"
        "removed. A program whose own compiler lacks the extension takes the shader from there.",
        SPIRV, .run = command_spirv},
    {"export", "RESULT... --format NAME", "results in the forms of other programs",
        "Writes to standard output, or to the file of --out; files for each case into the folder of --out. Formats:",
        EXPORT, .run = command_export, .more = help_formats},
    {"tune", "[SELECT...]", "search for the best shapes; write the tuned table",
        "Searches every case of a suite (default: tuning) for its best shape: among all, or those that the suite\n"
        "lists. What SELECT names and the suite lacks is searched at sizes of the suite quick, or of --dims.\n"
        "It writes the result and tuned.json, the table of best shapes, to reports/out/DEVICE/RUN/. SELECT is as\n"
        "for bench.\n"
        "With --simulate it repeats each search 50 times on results of `bench` that hold every shape with raw\n"
        "samples, and prints how often a strategy came within 2 % of the true best and what it spent; --out FILE\n"
        "keeps the spaces alone. With --agree it says for how many cases two results have the same best shape, or\n"
        "one's best among the other's ties.\n"
        "Strategies; without --strategy race, or exhaustive for cases of up to 8 shapes:",
        TUNE, .run = command_tune, .more = help_strategies},
    {"table", "DIR|RESULT... --out tuned.json", "one tuned table for many devices",
        "Joins results whose cases were timed in several shapes (of `tune`, of `bench --suite tuning`), or tuned\n"
        "tables, one or more of each device, into one table: the best shape of each case on each device, and for\n"
        "devices that are not known one for each family, each vendor and all, with what each loses on every device.\n"
        "vkassay_tuned.h takes the file as it is. table.html beside it has the same to read. Says where one shape\n"
        "serves all within 5 %, what each fallback costs (each device left out in turn), and which results are of\n"
        "one device with two drivers: the newer counts. A table is for one profile of limits, or for none: --limits\n"
        "holds results without one to it; others are refused. Exit status: 3 no case has a shape that is right and "
        "timed.",
        TABLE, .run = command_tuned},
    {"manual", "[bash|zsh|fish]", "the man page, or what a shell completes by",
        "Prints the man page, as `man -l` reads it: vkassay manual | man -l -\n"
        "With the name of a shell: what that shell completes vkassay's commands and options by, to be put where it\n"
        "looks (make install does both).",
        MANUAL, .run = command_manual},
    {"store", "add STORE RESULT... | list STORE | prune STORE", "results kept for their history",
        "A store is a folder of results by device and driver, without raw samples, with a list of what every point "
        "took\n"
        "in each run; `report --history STORE` draws from that list. add leaves out runs that are there already, and\n"
        "may be called by many hosts at once. list has a line for each device, driver and suite; --every one for each\n"
        "run. prune removes runs, of --keep N all but the newest of each device, driver and suite.",
        STORE, .run = command_store},
    {"merge", "RESULT... --out FILE", "join the shards of a run into one result",
        "With --trim it leaves raw samples out, of a single result too. Exit status 4, and so in the result: a\n"
        "part was cut short, or a shard is not among them.",
        MERGE, .run = command_merge},
    {0},
};

// ---- the standard streams

// Closes standard output last of all and returns the exit status. A write error turns STATUS_OK into STATUS_FAULT,
// and is always reported on standard error.
enum status output_close(enum status status);

// Opens /dev/null for closed standard streams. Otherwise the first opened file would take their number and receive
// the output. Writing to the stand-in of standard output fails, as for a closed stream.
static void fill_closed(void) {
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd) _exit(STATUS_FAULT);
}

// Prepares the streams first of all: no file takes the number of a closed stream, and a reader's absence is an error.
static void output_open(void) {
    fill_closed();
    signal(SIGPIPE, SIG_IGN); // otherwise a pipe to head(1) would end a run
}

enum status output_close(enum status status) {
    bool failed = ferror(stdout);
    errno = 0;
    failed = fclose(stdout) != 0 || failed;
    if (!failed) return status;
    fprintf(stderr,
        "vkassay: standard output could not be written%s%s; what was printed is incomplete, files are not\n",
        errno ? ": " : "", errno ? strerror(errno) : "");
    return status == STATUS_OK ? STATUS_FAULT : status;
}

static const struct command *command_named(const char *name) {
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

const struct exit_word exit_words[] = {
    {STATUS_OK, "all held"},
    {STATUS_WRONG, "a wrong result"},
    {STATUS_SLOWER, "slower than the baseline"},
    {STATUS_NOTHING, "nothing that was asked for was measured"},
    {STATUS_PARTIAL, "what ran held, but not all ran"},
    {STATUS_USAGE, "usage"},
    {STATUS_BAD_INPUT, "bad input file"},
    {STATUS_NO_DEVICE, "no usable device"},
    {STATUS_FAULT, "a fault in vkassay itself, or what was printed was lost"},
};
const size_t exit_word_count = sizeof exit_words / sizeof *exit_words;

static void print_help(void) {
    struct text statuses = {0};
    puts("vkassay: are these Vulkan compute kernels right, how fast are they, and which\nworkgroup size should I "
         "ship?\n\n"
         "Usage: vkassay COMMAND [OPTIONS]\n");
    for (const struct command *c = commands; c->name; c++) printf("  %-9s %s\n", c->name, c->summary);
    for (size_t i = 0; i < exit_word_count; i++)
        text_format(&statuses, "%s%d %s", i ? "; " : "", exit_words[i].status, exit_words[i].words);
    puts("\n`vkassay COMMAND --help` (or -h) lists the options of a command; `vkassay\n--version` says which this is.");
    print_words(stdout, "Exit status: ", &statuses, 0, HELP_WIDTH);
}

static bool unknown_command(const char *name, struct error *err) {
    const char *names[32];
    size_t count = 0;
    for (const struct command *c = commands; c->name && count < 32; c++) names[count++] = c->name;
    const char *near = text_nearest(name, names, count);
    if (near) return error_set(err, STATUS_USAGE, "unknown command '%s'; did you mean '%s'?", name, near);
    return error_set(err, STATUS_USAGE, "unknown command '%s'; `vkassay --help` lists them", name);
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

static bool run_command(
    struct arena *arena, int argc, char **argv, bool *has_mistakes, enum status *status, struct error *err) {
    const struct command *command = command_named(argv[1]);
    struct options options;
    if (!command) return unknown_command(argv[1], err);
    if (!options_parse(arena, argc, argv, 2, command->bit, &options, err)) return false;
    if (!options.help && options.word_count && !*command->arguments)
        return error_set(err, STATUS_USAGE, "%s takes no words, found '%s'", command->name, options.words[0]);
    options.has_mistakes = has_mistakes;
    colour_use(wants_colour(&options));
    if (!options.help) return command->run(arena, &options, status, err);
    printf("Usage: vkassay %s %s\n\n", command->name, command->arguments);
    print_text(command->text);
    if (command->more) command->more();
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
        fprintf(stderr, "vkassay: %s\n", err.text);
        status = has_mistakes && err.status == STATUS_USAGE ? STATUS_BAD_INPUT : err.status;
    }
    if (has_mistakes) status = status_join(status, STATUS_BAD_INPUT);
    arena_free(&arena);
    return status;
}

enum status commands_main(int argc, char **argv) {
    output_open();
    setlocale(LC_ALL, "C"); // numbers use a decimal point, whatever the user's locale
    if (argc > 1 && strcmp(argv[1], "worker") == 0) return worker_main();
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        puts(context_tool());
        return output_close(STATUS_OK);
    }
    if (argc >= 2 && strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "-h") != 0 && strcmp(argv[1], "help") != 0)
        return output_close(run_and_say(argc, argv));
    print_help();
    return output_close(argc < 2 ? STATUS_USAGE : STATUS_OK);
}

char *program_path(struct arena *arena, struct error *err) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) {
        error_set(err, STATUS_FAULT, "/proc/self/exe: %s", strerror(errno));
        return NULL;
    }
    return arena_copy_n(arena, path, (size_t)length);
}
