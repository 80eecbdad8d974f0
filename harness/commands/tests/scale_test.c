// SPDX-License-Identifier: Apache-2.0
// Tests results with many records: a command's time and memory grow at most in proportion.
#include "vkassay_program.h"
#include "../../base/tests/tries.h"
#include "../../record/record.h"

#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>

enum { FEW = 6000, MANY = 4 * FEW, MOST_WORDS = 24 };

// Most growth of processor time for four times the records. Linear growth is 4 and quadratic is 16; constant costs
// reduce it.
static const double most_growth = 7;
#ifdef __SANITIZE_ADDRESS__ // it keeps freed memory for a while, and shadow memory for all of it
static const long most_kib = 900000;
#else
static const long most_kib = 280000; // for MANY records; the JSON of all of them would take a gigabyte
#endif

static void make(const char *name, int count, const char *options) {
    char words[600];
    snprintf(words, sizeof words, "reports/examples/nvidia-h200/quick.json %d %s %s", count, in_folder(name), options);
    assert_int_equal(python_run(python_with("json"), "harness/record/tests/many.py", words), 0);
}

static int make_all(void **state) {
    if (program_open(state) != 0) return -1;
    make("few-dims.json", FEW, "");
    make("many-dims.json", MANY, "");
    make("few-shapes.json", FEW, "--by shape");
    make("many-shapes.json", MANY, "--by shape");
    make("rest.json", FEW, "--lines --from 24000");
    return 0;
}

// Processor seconds and peak memory of `vkassay WORDS`. gnuplot is not on the PATH, so no charts are drawn.
struct cost {
    double seconds;
    long kib;
};

static void run_child(char *words) {
    char *argv[MOST_WORDS + 1] = {program}, environment[500];
    int count = 1, out = open(in_folder("output"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (char *word = strtok(words, " "); word && count < MOST_WORDS; word = strtok(NULL, " ")) argv[count++] = word;
    snprintf(environment, sizeof environment, "PATH=%s/nothing", folder);
    if (out < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 || putenv(environment) != 0) _exit(99);
    execv(program, argv);
    _exit(99);
}

static struct cost cost_of(const char *format, const char *size) {
    char words[2000] = "";
    for (const char *at = format; *at; at++) {
        size_t length = strlen(words);
        bool here = *at == '@', size_here = *at == '%';
        snprintf(words + length, sizeof words - length, "%s", here ? folder : size_here ? size : (char[]){*at, '\0'});
    }
    fflush(NULL);
    pid_t child = fork();
    if (!child) run_child(words);
    struct rusage usage;
    int status;
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > STATUS_NOTHING)
        fail_msg("%s: %d\n%s", words, status, content("output"));
    return (struct cost){(double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                             (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6,
        usage.ru_maxrss};
}

static void costs_in_proportion(const char *format) {
    struct tries tries = {.most = 3, .why = "a busy machine adds to the time that many records take"};
    double growth = INFINITY;
    while (next_try(&tries, growth <= most_growth)) {
        struct cost few = cost_of(format, "few"), many = cost_of(format, "many");
        if (many.kib > most_kib) fail_msg("%s: %ld KiB for %d records", format, many.kib, MANY);
        growth = fmin(growth, many.seconds / few.seconds);
    }
    if (growth > most_growth) fail_msg("%s: %.1f times as long for 4 times the records", format, growth);
}

static void reports(void **state) {
    costs_in_proportion("report @/%-dims.json --out @/page");
    assert_holds("page/report.html", "sizes, the largest of each kernel, are shown here");
    costs_in_proportion("report @/%-shapes.json --out @/page");
}

static void comparisons(void **state) {
    costs_in_proportion("compare @/%-dims.json @/%-dims.json");
    costs_in_proportion("compare --json @/%-shapes.json @/%-dims.json"); // no point is in both
}

static void exports(void **state) {
    static const char *const formats[] = {
        "csv", "junit", "markdown", "gbench", "trace", "tuned", "header", "glsl", "wgsl"};
    char words[200];
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        snprintf(words, sizeof words, "export @/%%-dims.json --format %s --out @/export", formats[i]);
        costs_in_proportion(words);
    }
    costs_in_proportion("export @/%-shapes.json --format tuned --out @/export");
    costs_in_proportion("export @/%-shapes.json --format kernel-tuner --out @/cases");
}

static void searches(void **state) {
    costs_in_proportion("tune --agree @/%-dims.json @/%-dims.json");
    costs_in_proportion("tune --agree @/%-shapes.json @/%-shapes.json");
}

static void merges(void **state) {
    struct result parts[2], merged;
    struct error err;
    costs_in_proportion("merge @/%-dims.json @/rest.json --out @/merged.json");
    assert_true(result_read(in_folder("many-dims.json"), &parts[0], &err));
    assert_true(result_read(in_folder("rest.json"), &parts[1], &err));
    assert_true(result_read(in_folder("merged.json"), &merged, &err));
    assert_int_equal(merged.count, MANY + FEW);
    for (size_t i = 0; i < merged.count; i++) {
        const struct record *part = i < MANY ? &parts[0].records[i] : &parts[1].records[i - MANY];
        assert_string_equal(merged.records[i].name, part->name);
        assert_memory_equal(merged.records[i].time, part->time, sizeof part->time);
    }
    for (int i = 0; i < 2; i++) result_free(&parts[i]);
    result_free(&merged);
    assert_int_equal(
        run("merge %s/rest.json %s/rest.json --out %s/twice.json", folder, folder, folder), STATUS_BAD_INPUT);
    assert_says("rest.json: $.records[0]: point ");
    assert_says("is in two of the results");
}

// Removes samples and keeps everything else; the list is still valid JSON.
static void merges_are_trimmed(void **state) {
    assert_int_equal(run("merge %s/few-dims.json --trim --out %s/trimmed.json", folder, folder), STATUS_OK);
    assert_int_equal(shell("%s -c \"\nimport json\n"
                           "def read(n): return json.load(open('%s/' + n))['records']\n"
                           "a, b = read('few-dims.json'), read('trimmed.json')\n"
                           "for r in a:\n  for f in (r.get('time') or {}).values(): del f['raw_ns']\n"
                           "assert len(a) == %d and a == b\n\"",
                         python_with("json"), folder, FEW),
        0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(exports),
        cmocka_unit_test(searches),
        cmocka_unit_test(merges),
        cmocka_unit_test(merges_are_trimmed),
    };
    return run_group_with_python(tests, make_all, folder_remove);
}
