// SPDX-License-Identifier: Apache-2.0
// Tests lost output. Every command still writes its files, reports the failure and does not end as if all had held.
// Also tests that no name makes a file outside the requested folder.
#include "../../base/tests/depth.h"
#include "../command.h"
#include "vkassay_program.h"

// Standard output to a full disk, to a closed stream, and to a pipe without a reader, as parts of a shell command.
static const struct {
    const char *before, *after;
} lost[] = {
    {"", ">/dev/full"},
    {"", ">&-"},
    {"rm -f $D/pipe; mkfifo $D/pipe; { :; } <$D/pipe & exec 4>$D/pipe; wait;", ">&4"},
};
enum { LOST = sizeof lost / sizeof *lost };

// Shell words: D is the test's folder and O a fresh folder in it. Files are expected in O.
static const struct {
    const char *verb, *arguments, *files;
} calls[] = {
    {"bench", "--suite $D/mine.json --junit $O/junit.xml --out $O",
        "junit.xml */*/result.json */*/report.html */*/expectations.json */*/charts.gp"},
    {"check", "--suite $D/mine.json --junit $O/junit.xml --out $O",
        "junit.xml */*/result.json */*/report.html */*/expectations.json"},
    {"check", "'relu.right/*' 'relu.wrong/*' --suite $D/mine.json --kernels harness/commands/tests/faults --out $O",
        "*/*/result.json */*/report.html */*/expectations.json"},
    {"check", "--tier exhaustive 'relu.scalar/f32' --range 0:0xffff --out $O",
        "*/*/exhaustive.md */*/expectations.json"},
    {"tune", "'relu.vec4/*' --suite $D/mine.json --out $O", "*/*/result.json */*/tuned.json"},
    {"tune", "--agree $D/result.json $D/result.json", ""},
    {"tune", "--simulate $D/result.json --out $O/spaces.json", "spaces.json"},
    {"devices", "", ""},
    {"devices", "--json", ""},
    {"list", "", ""},
    {"list", "kernels --json", ""},
    {"list", "points --suite $D/mine.json", ""},
    {"list", "operators relu", ""},
    {"init", "reports/examples/backend/glsl/clamp.comp", ""},
    {"init", "reports/examples/backend/glsl/clamp.comp --out $O/made.json", "made.json"},
    {"try", "reports/examples/backend/glsl/leaky_relu.comp --operator leaky_relu --dims n=1025 --out $O",
        "try/*/suite.json try/*/kernels/manifest.json */*/result.json */*/report.html"},
    {"spirv", "--only harness/commands/tests/faults", ""},
    {"table", "$D/result.json --out $O/tuned.json", "tuned.json"},
    {"manual", "", ""},
    {"manual", "bash", ""},
    {"store", "add $O/store $D/result.json", "store/*/runs store/*/points"},
    {"compare", "$D/result.json $D/result.json", ""},
    {"compare", "--json $D/result.json $D/result.json", ""},
    {"compare", "--format markdown $D/result.json $D/result.json", ""},
    {"ab",
        "--base kernels/elementwise --head kernels/elementwise --suite $D/mine.json 'relu.scalar/*/wg=64x1x1*' --quiet",
        ""},
    {"baseline", "--suite $D/mine.json --out $O --baselines $O", "*/*/result.json */mine.json"},
    {"baseline", "$D/result.json --baselines $O", "*/mine.json"},
    {"gate", "--suite $D/mine.json --out $O --baselines $D/baselines --junit $O/junit.xml",
        "*/*/result.json junit.xml"},
    {"report", "$D/result.json --out $O", "report.html charts.gp"},
    {"report", "--history $D/result.json $D/result.json --out $O", "history.html"},
    {"report", "$D/result.json $D/other.json --out $O", "1/report.html 2/report.html devices.html"},
    {"report", "--gallery $D --out $O", "gallery.html"},
    {"claims", "$D/result.json --out $O", "claims.html claims.md"},
    {"peaks", "--suite $D/peak.json --quiet --out $O", "*/*/result.json"},
    {"coverage", "$D/result.json", ""},
    {"export", "$D/result.json --format csv", ""},
    {"export", "$D/result.json --format t4 --out $O", "*.json"},
    {"mutate", "'relu.scalar' --suite $D/mine.json --count 1 --quiet --out $O", "*/*/mutants.json"},
    {"compile", "relu.scalar --suite $D/mine.json --quiet --out $O", "*/*/compiled.md"},
    {"merge", "$D/result.json --out $O/merged.json", "merged.json"},
    {"help", "", ""},
    {"bench", "--help", ""},
};
enum { CALLS = sizeof calls / sizeof *calls };

static int open_output(void **state) {
    if (program_open(state) != 0) return -1;
    write_suite("peak", "{\"kernel\": \"nothing.empty\", \"dims\": {\"n\": 1}, \"shapes\": \"default\", \"peak\": "
                        "\"empty_dispatch_ns\"}");
    write_suite(
        "mine", "{\"kernel\": \"relu.*\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 1025}, \"shapes\": \"all\"}");
    if (run("bench --suite %s/mine.json --out %s/run", folder, folder) != STATUS_OK ||
        shell("cd %s && cp run/*/*/result.json . && sed 's/\"driver_info\": *\"/&other /' result.json >other.json",
            folder) != 0)
        return -1;
    return run("baseline %s/result.json --baselines %s/baselines", folder, folder);
}

static void expect_files(size_t call, size_t way) {
    char files[400], *rest = NULL;
    snprintf(files, sizeof files, "%s", calls[call].files);
    for (char *file = strtok_r(files, " ", &rest); file; file = strtok_r(NULL, " ", &rest))
        if (shell("set -- %s/out/%s; [ -s \"$1\" ]", folder, file) != 0)
            fail_msg("vkassay %s %s %s left no %s:\n%s", calls[call].verb, calls[call].arguments, lost[way].after, file,
                content("said"));
}

static void what_cannot_be_printed_is_said_and_files_are_whole(void **state) {
    for (size_t way = 0; way < LOST; way++)
        for (size_t i = at_desk() ? way : 0; i < CALLS; i += at_desk() ? LOST : 1) { // at the desk in one way each
            assert_int_equal(shell("rm -rf %s/out && mkdir %s/out", folder, folder), 0);
            int status = shell("D=%s O=%s/out; export VKASSAY_CACHE=$D/cache; %s exec %s %s %s 2>$D/said %s", folder,
                folder, lost[way].before, program, calls[i].verb, calls[i].arguments, lost[way].after);
            bool wrong = strstr(calls[i].arguments, "relu.wrong") != NULL;
            bool timed = strcmp(calls[i].verb, "gate") == 0 || strcmp(calls[i].verb, "ab") == 0 ||
                         strcmp(calls[i].verb, "compare") == 0; // may find a difference, or none
            if (timed ? status <= 0 : status != (wrong ? STATUS_WRONG : STATUS_FAULT))
                fail_msg("vkassay %s %s %s: status %d:\n%s", calls[i].verb, calls[i].arguments, lost[way].after, status,
                    content("said"));
            assert_holds("said", "vkassay: cannot write standard output");
            expect_files(i, way);
        }
}

// Errors before any output are reported as usual.
static void an_error_keeps_its_status(void **state) {
    for (size_t way = 0; way < LOST; way++) {
        int status = shell(
            "D=%s; %s exec %s report /no/such.json 2>$D/said %s", folder, lost[way].before, program, lost[way].after);
        assert_int_equal(status, STATUS_BAD_INPUT);
        assert_holds("said", "/no/such.json: cannot be opened");
    }
    assert_int_equal(
        shell("%s tune --simulate %s/result.json --quiet --out %s/s.json >/dev/null <&- 2>&-", program, folder, folder),
        0);
}

static void every_command_is_called(void **state) {
    for (const struct command *c = commands; c->name; c++) {
        size_t i = 0;
        while (i < CALLS && strcmp(calls[i].verb, c->name) != 0) i++;
        if (i == CALLS) fail_msg("nothing is known of %s", c->name);
    }
}

// No progress line is in a file that took the number of the stream.
static void a_closed_stream_gives_its_number_to_no_file(void **state) {
    char name[100];
    for (int fd = 0; fd < 3; fd++) {
        snprintf(name, sizeof name, "closed%d/*/*/journal.jsonl", fd);
        shell("VKASSAY_CACHE=%s/cache %s check 'relu.scalar/*' --suite %s/mine.json --out %s/closed%d %d>&- %s", folder,
            program, folder, folder, fd, fd, fd == 1 ? "2>/dev/null" : ">/dev/null");
        for (const char *line = content(name); *line; line = strchr(line, '\n') + 1) assert_int_equal(*line, '{');
    }
}

// ---- names

// Lists all paths outside of FOLDER/in/a/b.
#define OUTSIDE "find $D -not -path \"$D/cache*\" -not -path \"$D/in/a/b*\" | sort"

static void a_suites_name_leads_nowhere_else(void **state) {
    static const char *const names[] = {"../../../../../escaped", "../escaped", "a/b", "..", "../", "/tmp/x", "", " "};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        write_suite("named",
            "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 1}, \"shapes\": \"default\"}");
        int status = shell("D=%s; sed -i 's#\"name\": \"named\"#\"name\": \"%s\"#' $D/named.json && rm -rf $D/in && "
                           "mkdir -p $D/in/a/b && " OUTSIDE " >$D/cache/before",
            folder, names[i]);
        assert_int_equal(status, 0);
        status = run("check --suite %s/named.json --out %s/in/a/b", folder, folder);
        if (status == STATUS_BAD_INPUT) continue; // such a name is refused
        assert_int_equal(status, STATUS_OK);
        status = run("baseline %s/in/a/b/*/*/result.json --baselines %s/in/a/b/kept", folder, folder);
        assert_int_equal(status, STATUS_OK);
        status = shell("D=%s; " OUTSIDE " | diff $D/cache/before - && cd $D/in/a/b && [ $(ls | wc -l) = 2 ] && "
                       "ls */*/report.html kept/*/*.json >/dev/null",
            folder);
        assert_int_equal(status, 0);
    }
}

static void words_that_a_command_does_not_take_are_refused(void **state) {
    static const char *const verbs[] = {"devices", "spirv"};
    char says[100];
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        assert_int_equal(run("%s foo", verbs[i]), STATUS_USAGE);
        snprintf(says, sizeof says, "%s takes no arguments, found 'foo'", verbs[i]);
        assert_says(says);
    }
}

// The error names the right command or file.
static void a_folder_and_a_shader_are_no_results(void **state) {
    static const char *const verbs[] = {"report", "coverage", "export --format csv", "peaks", "merge --out m.json"};
    assert_int_equal(shell("touch %s/a.comp", folder), 0);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        assert_int_equal(run("%s %s/a.comp", verbs[i], folder), STATUS_BAD_INPUT);
        assert_says("a.comp is a shader, for `vkassay try ");
        if (strcmp(verbs[i], "coverage") == 0) continue; // takes folders
        assert_int_equal(run("%s kernels", verbs[i]), STATUS_BAD_INPUT);
        assert_says("result.json of a run, as reports/out/DEVICE/RUN/result.json");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_printed_is_said_and_files_are_whole),
        cmocka_unit_test(an_error_keeps_its_status),
        cmocka_unit_test(every_command_is_called),
        cmocka_unit_test(words_that_a_command_does_not_take_are_refused),
        cmocka_unit_test(a_folder_and_a_shader_are_no_results),
        cmocka_unit_test(a_closed_stream_gives_its_number_to_no_file),
        cmocka_unit_test(a_suites_name_leads_nowhere_else),
    };
    return cmocka_run_group_tests(tests, open_output, folder_remove);
}
