// SPDX-License-Identifier: Apache-2.0
#include "../readers/render/format.h"
#include "command.h"
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
    {"bench", "[SELECT...]", "check every point, then time it",
        "Runs a suite (default: quick). Each point is checked against the scalar reference and then timed. Prints\n"
        "a table per operator and writes the result, charts and one HTML page to reports/out/DEVICE/RUN/.\n"
        "SELECT is a pattern of point names, such as 'matmul.*' or '*/f16/*', or the name of an operator or a\n"
        "family, such as softmax or reduction/f16. A complete point name runs only that point.\n"
        "The suite peaks prints the measured peaks of the device: memory, caches, shared memory, multiply-adds, dot "
        "products, matrix units, launches and transfers. The suite claims also decides claims of other systems about "
        "GPUs (report --claims).",
        BENCH, .run = command_bench},
    {"check", "[SELECT...]", "check without timing: ULP, guards, identical bits",
        "Without a suite it checks a tier.\n"
        "  smoke       the smoke suite\n"
        "  sampled     the default: smoke, and every kernel and type in its default shape and others (--shapes). "
        "These\n"
        "              cover as many values of the tunables as they can. Each shape runs a case of the suite, and "
        "sizes near\n"
        "              its tiles, workgroup and vectors: primes, thin and wide ones. --seed selects the sizes.\n"
        "  exhaustive  every input (2^32 or 2^16) of every elementwise kernel of one operand, at its default shape. A "
        "table\n"
        "              lists the worst argument of each; exhaustive.md beside the result contains it too.\n"
        "  compile     each kernel in each type goes to the device's compiler once, in its default shape (--suite for "
        "others), and nothing is run. Lists registers, spills, scratch, code size and occupancy as far as the driver "
        "reports them; so it also works on devices without hardware (scripts/compilers.sh). `report` shows several "
        "such "
        "results as one table of spills.\n"
        "SELECT is as for bench. A complete point name replays that point:\n"
        "  vkassay check 'relu.scalar/f32/n=1025/wg=64x1x1' --seed 7",
        CHECK, .run = command_check},
    {"capture", "[--out DIR] -- COMMAND...", "record the compute dispatches of any Vulkan program",
        "Runs COMMAND with a Vulkan layer that records its compute dispatches: modules, constants, grid, and the\n"
        "content of all bound buffers before and after. The first dispatch of each signature (all of these but the\n"
        "content of storage buffers) is recorded; the others are counted. COMMAND and the processes that it starts\n"
        "write to one folder (harness/capture/README.md). Their input, output and exit status are as without the "
        "layer; a summary is on standard error.\n"
        "Exit status: that of COMMAND; 126 it cannot be executed; 127 it was not found.\n"
        "  vkassay capture -- ./test-backend-ops -o SOFT_MAX",
        CAPTURE, .run = command_capture},
    {"devices", "", "list devices with their limits and features", "Devices are listed best first.", DEVICES,
        .run = command_devices},
    {"try", "SHADER [SHADER] --operator NAME", "check and time one shader, or two interleaved, without a manifest",
        "Guesses a manifest like `init`, checks the shader at small, odd and large sizes of its operator and times\n"
        "it, up to the first wrong size, and as far as --budget allows. Compares a right one with the program's "
        "kernels, and with other sizes of its workgroup. The device's peaks are measured once, in further time. "
        "The last line names the faster of two right shaders. "
        "Manifest and suite are written under try/ in --out or reports/out; edit and reuse "
        "them. With --json, standard output has only one object: the verdict.\n"
        "  vkassay try relu.comp --operator relu --dims n=4M\n"
        "  vkassay try before.comp after.comp --operator softmax",
        TRY, .run = command_try},
    {"init", "OPERATOR SHADER... | DIR | SHADER...", "guess a manifest from shaders, or from a captured folder",
        "Reads the interface of the shaders: bindings and their use, parameters with types and names, workgroup size, "
        "entry\n"
        "points, constants. Prints a manifest, or writes it to the new file of --out. Without OPERATOR, the names of "
        "files and\n"
        "entry points select the operator. The names of bindings and parameters select its operands and parameters. "
        "The\n"
        "\"notes\" of the kernel, and standard error, list every guess. Standard error also lists names that match "
        "nothing.\n"
        "In a captured folder, the recorded operands select the operator, its dims and its parameters.\n"
        "Exit status: 3 no shader matched; 4 some did not match.",
        INIT, .run = command_init},
    {"list", "[operators|kernels|suites|points|bounds|schemas|sources|coverage] [SELECT...|RESULT...]",
        "list operators, kernels, suites, points or bounds",
        "`list operators NAME` prints the dims, operands and parameters of an operator with their meaning, its formula "
        "and its\n"
        "bound. A manifest or a suite may use these names. NAME is an operator, a family or a pattern.\n"
        "`list points` plans a suite on a device and prints the names of its points.\n"
        "`list bounds matmul/bf16 --dims k=4096` prints tolerances for other test suites (ULP, rtol, atol) with their\n"
        "formula and source. Dims that are not given are 64.\n"
        "`list schemas NAME` prints the JSON Schema of a file.\n"
        "`list sources RESULT...` lists the kernels with sources newer than the results.\n"
        "`list coverage RESULT...` prints every operator with its kernels and types, and a column for each result "
        "with the outcome of its points there; then the number of passing operators of each system. Other kinds of "
        "files (tables and spaces) are named and skipped.",
        LIST, .run = command_list, .results = true},
    {"compare", "BASE NEW", "compare two results, point by point",
        "Compares the compute medians of two results of one device, driver and seed, point by point. The 95 % interval "
        "of\n"
        "the ratio is made of the intervals of the two medians. A rank test is corrected by Holm's rule over all "
        "points.\n"
        "  slower, faster   the whole interval is beyond the least effect (--effect), and the test agrees\n"
        "  same             the whole interval is within the least effect\n"
        "  ambiguous        neither, or the measurements cannot be compared, or a disturbance explains the whole "
        "difference:\n"
        "                   the reference kernel took F times its time (a throttled GPU), the shader clock fell by F, "
        "or other\n"
        "                   work left a CPU 1/F of its cores (at most 20). Beyond F and the least effect, a point is "
        "slower\n"
        "                   in spite of disturbances\n"
        "  wrong            not right in NEW, or its error grew by more than --ulp-factor and above 1 % of its bound. "
        "A\n"
        "                   kernel with different bits in each run is wrong only if every run exceeds the largest "
        "error of\n"
        "                   the base by that factor, and half its bound\n"
        "  fixed            wrong in BASE, right in NEW\n"
        "  new, removed     only in NEW, only in BASE\n"
        "Dispatches of two captured folders are paired by their work, whatever their names.\n"
        "Exit status: 1 a point is wrong; 2 a point is slower (or ambiguous, with --strict); 3 no common points;\n"
        "4 all common points held, but NEW is incomplete because its run was interrupted; 65 the results are of "
        "different\n"
        "devices, drivers or seeds, without --allow-different. A note names different profiles of limits. --format is "
        "text,\n"
        "markdown (for a comment on a merge request) or json.",
        COMPARE, .run = command_compare, .results = true},
    {"ab", "--base DIR --head DIR [SELECT...]", "measure two kernel folders pair by pair",
        "Times each point of both folders alternately, in one process on one device. The order is drawn again for "
        "every\n"
        "four samples (A B B A or B A A B). A disturbance affects both folders, so it works on machines too noisy for\n"
        "`compare`. The verdict is that of the paired ratios: their median, its 95 % interval, and Wilcoxon's\n"
        "signed-rank test corrected by Holm's rule over all points. Words, formats and exit status are those of\n"
        "`compare`. The suite (default: gate) selects the points of the kernels in each folder. Points in only\n"
        "one folder are new or removed, and not timed. A driver that crashes or hangs costs only the current point.\n"
        "Exit status 4 also: the run was interrupted.",
        AB, .run = command_ab},
    {"gate", "[SELECT... | --save-baseline SELECT...|RESULT...]", "run the gate suite and compare it with the baseline",
        "Runs a suite (default: gate) and compares it with the baseline of this device, driver and suite, like\n"
        "`compare`; the last line is the verdict. Slower and undecided points, and those of changed kernels (at\n"
        "most 200), are measured again, interleaved with the baseline's kernels as in `ab`, because the load of a "
        "host\n"
        "varies. Without a baseline the gate runs nothing and exits with 65; create one with --save-baseline. If\n"
        "points of the baseline are missing or the run was interrupted, it lists them and exits with 4, unless a\n"
        "point is wrong or slower. A SELECT, skips in --expectations, or --only (with a baseline of more than that\n"
        "folder) limits the points it expects.\n"
        "--save-baseline stores the result under reports/baselines/DEVICE-DRIVER/ instead, or stores RESULT, made "
        "elsewhere. It stores only the fields that compare uses; of the times, only compute. The kernels of a run are "
        "kept beside it (SUITE.kernels, at most 16 MiB), for a gate to measure them again. An interrupted run is not "
        "stored.",
        GATE, .run = command_gate, .results = true},
    {"report", "RESULT... | FOLDER", "tables, charts and an HTML page of results",
        "Writes the charts and report.html beside each result, or under --out. Results of different devices also make\n"
        "devices.html, in --out or reports/out/devices. It has a card for each device: bars by family, best shapes "
        "and\n"
        "their cost on the other devices. The same page of all results below a FOLDER is "
        "gallery.html, there or in --out. It links to their pages. With --history, history.html has the results of one "
        "device, named or below folders. It shows each point's median from run to run, and the runs in which it "
        "changed by --effect or more.\n"
        "The page goes to --out, or to reports/out/DEVICE/history; each of several devices has its own.\n"
        "With --claims, each claim of the suite has its measurement: it holds, does not hold, or cannot be measured by "
        "this result, with the reason. claims.html with its charts and claims.md are written beside the result, or "
        "under --out. A claim that does not hold does not change the exit status.",
        REPORT, .run = command_report, .results = true},
    {"mutate", "[SELECT...]", "break kernels in small ways, to test their check",
        "Breaks the SPIR-V of each kernel in small ways (mutants), and runs the kernel's `check` on each mutant until "
        "a check\nfails. Prints the outcome:\n  killed     a check failed; also if the mutant hangs, crashes or loses "
        "the device\n  survived   some bits differ, but every check held: a gap in the check, or a difference within "
        "the bounds\n  unseen     the same bits everywhere: equivalent, or its instruction is never reached\n  invalid "
        "   not a legal module\nThe score is killed / (killed + survived). --seed decides which mutants are made, and "
        "the points. Results go to\nreports/out/DEVICE/RUN-mutants/. --resume continues there; repeat the other "
        "options. See harness/engine/mutate/README.md\nfor how to read the survivors. Exit status: 1 the score is "
        "below "
        "--least-score; 3 nothing was run; 4 it was\ninterrupted.",
        MUTATE, .run = command_mutate, .more = help_mutations},
    {"export", "RESULT... --format NAME", "convert results to formats of other programs",
        "Writes to standard output, or to the file of --out. The script exports.py, beside the program or in "
        "scripts/,\nwrites SQL, OpenMetrics, traces for Perfetto, and the forms of google-benchmark, Bencher, Kernel "
        "Tuner and T4.\nFormats:",
        EXPORT, .run = command_export, .results = true, .more = help_formats},
    {"tune", "[SELECT... | --simulate RESULT... | --join DIR|RESULT... --out FILE]",
        "search for the best shapes; write the tuned table",
        "Searches every case of a suite (default: tuning) for its best shape, among all shapes or those listed in the "
        "suite.\n"
        "Cases in SELECT that the suite lacks use the sizes of the suite quick, or of --dims.\n"
        "It writes the result and tuned.json, the table of best shapes, to reports/out/DEVICE/RUN/. SELECT is as\n"
        "for bench.\n"
        "--simulate repeats each search 50 times on results of `bench` with every shape and raw samples. It prints how "
        "often\n"
        "a strategy came within 2 % of the true best, and its samples; --out FILE stores only the spaces.\n"
        "--join makes one table of results with cases timed in several shapes, or of tuned tables, one or more of each "
        "device. It has the best shape of each case on each device. For unknown devices it has one for each family, "
        "each vendor and all, with its loss on every device. vkassay_tuned.h reads the file unchanged. It prints how "
        "many cases one shape serves within 5 % on all devices, and the cost of each fallback (each device left out in "
        "turn). For results of one device with two drivers, the newer driver counts. A table is for one profile of "
        "limits, or for none: --limits applies it to results without one; others are rejected.\n"
        "Exit status: 3 no case has a right, timed shape.\n"
        "Strategies; without --strategy race, or exhaustive for cases of up to 8 shapes:",
        TUNE, .run = command_tune, .results = true, .more = help_strategies},
    {"merge", "RESULT... --out FILE", "join the shards of a run into one result",
        "With --trim it omits raw samples, also of a single result. Exit status 4, also recorded in the result: a "
        "shard is\n"
        "missing or was interrupted.",
        MERGE, .run = command_merge, .results = true},
    {"spirv", "", NULL,
        "Compiles every shader with an extension that older GLSL compilers lack (cooperative matrices, bfloat16, dot\n"
        "products of integers) with the glslc command in VKASSAY_GLSLC. Writes the modules to spirv/ beside the "
        "source, a file\n"
        "for each preprocessed text, and removes stale files. Use these modules if your own compiler lacks the "
        "extension.",
        SPIRV, .run = command_spirv},
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
        fprintf(stderr, "vkassay: %s\n", err.text);
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
