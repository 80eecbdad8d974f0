// SPDX-License-Identifier: Apache-2.0
// Tests files given to the program: published files work as the README says, and files of other kinds are named.
#include "../command.h"
#include "vkassay_program.h"

#define TUNED "reports/examples/nvidia-h200/tuned.json"
#define SPACES "reports/examples/nvidia-h200/spaces.json.gz"
#define RESULT "reports/examples/nvidia-h200/quick.json"

// Runs the command from the page of commands. Results give columns; tables and spaces are named and skipped.
static void coverage_takes_a_folder_of_examples(void **state) {
    assert_int_equal(
        shell("grep -q '^build/vkassay coverage reports/examples/\\*/\\*.json' harness/commands/README.md"), 0);
    assert_int_equal(run("coverage reports/examples/*/*.json"), STATUS_OK);
    assert_says("skipped: " TUNED " is a tuned table");
    assert_says("| NVIDIA H200 | NVIDIA 580.159.04 | quick");
    assert_int_equal(run("coverage " TUNED " " SPACES), STATUS_BAD_INPUT);
    write_text("other.json", "{\"name\": \"package\"}");
    assert_int_equal(run("coverage " RESULT " %s", in_folder("other.json")), STATUS_BAD_INPUT);
}

// A folder with a suite's name, as next to a checkout, does not hide the suite. A file with another name is used as a
// suite.
static void a_suite_is_named_wherever_one_stands(void **state) {
    assert_int_equal(shell("p=$(realpath %s) && mkdir -p %s/here/smoke && cp suites/smoke.json %s/here/mine && "
                           "cd %s/here && for s in smoke mine; do $p check --suite $s 'add.scalar/f32/*' --out o >said "
                           "2>&1 || { cat said; exit 1; }; done",
                         program, folder, folder, folder),
        0);
}

// The published table is exported unchanged, except for hashes of a kind no longer compared. The other forms hold
// each of its entries.
static void the_published_table_is_exported(void **state) {
    const char *python = needs_python("json");
    assert_int_equal(run("export " TUNED " --format tuned --out %s/again.json", folder), STATUS_OK);
    assert_int_equal(python_run(python, "harness/tune/tests/table_check.py", in_folder("again.json " TUNED)), 0);
    assert_int_equal(run("export " TUNED " --format header --out %s/table.h", folder), STATUS_OK);
    assert_int_equal(shell("test $(grep -c '\"softmax.cached\", \"' %s/table.h) = "
                           "$(grep -c '\"kernel\": \"softmax.cached\"' " TUNED ")",
                         folder),
        0);
    write_text("main.c",
        "#define VKASSAY_TUNED_IMPLEMENTATION\n#include \"table.h\"\n"
        "int main(void) { struct vkassay_tuned t = vkassay_tuned_table; struct vkassay_choice c;\n"
        "    const int64_t n = 65536; t.device = vkassay_tuned_entries[0].device;\n"
        "    return optimal_workgroup_size(&t, \"add.vec4\", 0, \"f32\", &n, 1, &c) != VKASSAY_EXACT; }\n");
    assert_int_equal(
        shell("cc -std=c99 -Wall -Wextra -Werror -I harness/tune/reader -I %s %s/main.c -o %s/main && %s/main", folder,
            folder, folder, folder),
        0);
    assert_int_equal(run("export " TUNED " --format glsl"), STATUS_OK);
    assert_says("// add.vec4/f32/n=65536 on NVIDIA H200: ");
    assert_int_equal(run("export " TUNED " --format wgsl"), STATUS_OK);
    assert_says("@id(0) override WG_X: u32 = ");
    assert_int_equal(run("export " TUNED " " RESULT " --format header"), STATUS_OK); // of both kinds
}

// 12 of 39 cases are constrained. The conditions leave exactly the recorded shapes.
static void the_published_spaces_are_exported(void **state) {
    const char *python = needs_python("json");
    assert_int_equal(run("export " SPACES " --format kernel-tuner --out %s/tuner", folder), STATUS_OK);
    assert_says("Wrote 78 files to ");
    assert_int_equal(shell("%s harness/tune/tests/tuners_check.py %s/tuner 39 12", python, folder), 0);
    assert_int_equal(run("export " SPACES " --format t4 --out %s/t4", folder), STATUS_OK);
    assert_says("Wrote 39 files to ");
    assert_holds("t4/add.vec4_f32_n-65536.json", "\"invalidity\":\"correct\"");
}

// Measures a space here. Refused shapes are records, and the conditions are the ones refusing them.
static void a_measured_space_is_exported_with_its_restrictions(void **state) {
    const char *python = needs_python("json");
    write_suite("space",
        "{\"kernel\": \"transpose.plain\", \"dtypes\": [\"f32\"], \"dims\": {\"rows\": 16, \"cols\": 16}, "
        "\"shapes\": \"all\"}");
    assert_int_equal(run("bench --suite %s/space.json --quiet --out %s/measured", folder, folder), STATUS_OK);
    assert_int_equal(
        run("export %s/measured/*/*/result.json --format kernel-tuner --out %s/measured/tuner", folder, folder),
        STATUS_OK);
    assert_int_equal(shell("%s harness/tune/tests/tuners_check.py %s/measured/tuner 1 1", python, folder), 0);
    write_text("alone.json", "{\"schema_version\": 1, \"device\": \"d\", \"driver\": \"\", \"spaces\": [{\"case\": "
                             "\"relu.mine/f32/n=4\", \"shapes\": [{\"shape\": \"wg=1x1x1\", \"samples_ns\": [1]}, "
                             "{\"shape\": \"wg=2x1x1\", \"samples_ns\": [1]}]}]}");
    assert_int_equal(run("export %s/alone.json --format kernel-tuner --out %s/alone", folder, folder), STATUS_OK);
    assert_says("no manifest of relu.mine (use --kernels DIR)");
}

static const struct {
    const char *arguments, *says;
} wrong[] = {
    {"compare " TUNED " " RESULT, TUNED " is a tuned table, for `vkassay export --format header`"},
    {"compare " RESULT " suites/gate.json", "suites/gate.json is a suite"},
    {"report " SPACES, SPACES " is a file of recorded spaces"},
    {"report kernels/matrix/tiled.json", "is a manifest of kernels"},
    {"merge " TUNED " --out FOLDER/merged.json", "is a tuned table"},
    {"baseline " TUNED, "is a tuned table"},
    {"claims " TUNED, "is a tuned table"},
    {"claims --suite " TUNED, "is a tuned table"},
    {"coverage suites/claims.json", "is a suite"},
    {"tune --simulate " TUNED, "is a tuned table"},
    {"tune --agree suites/gate.json " RESULT, "is a suite"},
    {"check --suite " RESULT, RESULT " is a result"},
    {"check --suite FOLDER/expectations.json", "is a file of expectations"},
    {"check --suite FOLDER/journal.jsonl", "is the journal of a run, for `--resume`"},
    {"check --expectations " TUNED " 'relu.*'", "is a tuned table"},
    {"list kernels --kernels reports/examples/nvidia-h200", "; expected a manifest of kernels"},
    {"export --format csv " TUNED, "is a tuned table"},
    {"export --format header " SPACES, "is a file of recorded spaces"},
    {"export --format t4 --out FOLDER/none " TUNED, "is a tuned table"},
    {"export --format header FOLDER/journal.jsonl", "journal.jsonl: line 2: $: expected a member"},
    {"export --format header FOLDER/null.json", "expected object, found null"},
    {"compare FOLDER/other.json FOLDER/other.json",
        "expected a member \"records\", as a result has; found name, version: "},
    {"check --suite FOLDER/other.json", "expected a member \"entries\", as a suite has; found name, version: "},
    {"check --suite FOLDER/null.json", "expected object, found null"},
};

static void a_file_of_another_kind_is_named(void **state) {
    write_text("other.json", "{\"name\": \"package\", \"version\": \"1.0\"}");
    write_text("null.json", "null\n");
    write_text("expectations.json", "{\"schema_version\": 1, \"expectations\": []}");
    write_text("journal.jsonl",
        "{\"schema_version\": 2, \"tool\": {}, \"device\": {}, \"run\": {\"argv\": []}}\n{\"name\": \"a\"}\n");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char arguments[1000] = "";
        const char *rest = wrong[i].arguments;
        for (const char *at; (at = strstr(rest, "FOLDER")); rest = at + strlen("FOLDER"))
            snprintf(arguments + strlen(arguments), sizeof arguments - strlen(arguments), "%.*s%s", (int)(at - rest),
                rest, folder);
        snprintf(arguments + strlen(arguments), sizeof arguments - strlen(arguments), "%s", rest);
        if (run("%s", arguments) != STATUS_BAD_INPUT) fail_msg("%s:\n%s", arguments, content("output"));
        assert_says(wrong[i].says);
    }
}

// ---- results in other forms

// A call of each command whose words may be results; @ is a form of one result.
static const struct {
    const char *verb, *arguments;
    int status; // of a whole result
} readers[] = {
    {"compile", "@ --out FOLDER/compiled", STATUS_NOTHING}, // a bench only compiles what it runs
    {"peaks", "@", STATUS_OK},
    {"list", "sources @", STATUS_OK},
    {"compare", "FOLDER/plain @", STATUS_OK},
    {"baseline", "@ --baselines FOLDER/baselines", STATUS_OK},
    {"report", "@ --out FOLDER/page", STATUS_OK},
    {"report", "--history @ FOLDER/plain --out FOLDER/page", STATUS_OK},
    {"claims", "@ --out FOLDER/page", STATUS_OK},
    {"coverage", "@", STATUS_OK},
    {"export", "@ --format csv --out FOLDER/some.csv", STATUS_OK},
    {"tune", "--agree FOLDER/plain @", STATUS_OK},
    {"tune", "--simulate @", STATUS_OK},
    {"table", "@ --out FOLDER/table/tuned.json", STATUS_OK},
    {"store", "add FOLDER/store @", STATUS_OK},
    {"merge", "@ --out FOLDER/merged.json", STATUS_OK},
};
enum { READERS = sizeof readers / sizeof *readers };

static const char *const forms[] = {"plain", "plain/result.json", "packed", "packed/result.json.gz", "journal",
    "journal/journal.jsonl", "plain/journal.jsonl.gz"};

static void replaced(char *out, size_t room, const char *arguments, const char *form) {
    size_t length = 0;
    for (const char *at = arguments; *at; at++) {
        const bool here = *at == '@', in = strncmp(at, "FOLDER", strlen("FOLDER")) == 0;
        length += (size_t)snprintf(out + length, room - length, "%s%s%s", here || in ? folder : (char[]){*at, '\0'},
            here ? "/" : "", here ? form : "");
        if (in) at += strlen("FOLDER") - 1;
    }
}

// Makes FOLDER/plain with the files of a run, FOLDER/packed with its compressed result, and FOLDER/journal.
static void make_forms(void) {
    write_suite("forms", "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": [16, 1025]}, "
                         "\"shapes\": \"all\"}, {\"kernel\": \"copy.vec4\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": "
                         "65536}, \"shapes\": \"default\", \"peak\": \"copy_bytes_per_s\"}");
    assert_int_equal(run("bench --suite %s/forms.json --quiet --out %s/forms", folder, folder), STATUS_OK);
    assert_int_equal(shell("cd %s && mkdir packed journal && mv forms/*/* plain && gzip -c plain/result.json "
                           ">packed/result.json.gz "
                           "&& cp plain/journal.jsonl journal && gzip -k plain/journal.jsonl",
                         folder),
        0);
}

static void each_command_reads_a_result_in_each_form(void **state) {
    char arguments[1000];
    make_forms();
    for (size_t i = 0; i < READERS; i++)
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
            replaced(arguments, sizeof arguments, readers[i].arguments, forms[k]);
            const int status = run("%s %s", readers[i].verb, arguments);
            const bool journal = strstr(forms[k], "journal");
            const bool undecided = strcmp(readers[i].verb, "compare") == 0; // on a busy machine
            if (status != readers[i].status && !((journal || undecided) && status == STATUS_PARTIAL))
                fail_msg("%s %s: %d\n%s", readers[i].verb, arguments, status, content("output"));
        }
    for (const struct command *c = commands; c->name; c++) {
        size_t i = 0;
        while (i < READERS && strcmp(readers[i].verb, c->name) != 0) i++;
        if (c->results && i == READERS) fail_msg("no form of a result is given to %s", c->name);
    }
}

// The order of a journal is that of the run, and the order of a result that of its plan.
static void each_form_has_the_same_records(void **state) {
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        assert_int_equal(run("export %s/%s --format csv --out %s/form%zu.csv", folder, forms[k], folder, k), STATUS_OK);
        assert_int_equal(shell("cd %s && sort form%zu.csv >form%zu && cmp form0 form%zu", folder, k, k, k), 0);
    }
    assert_int_equal(shell("test $(wc -l <%s/form0) -gt 3 && grep -q copy_bytes_per_s %s/form0", folder, folder), 0);
    assert_int_equal(run("merge %s/journal %s/packed --out %s/twice.json", folder, folder, folder), STATUS_BAD_INPUT);
    assert_says("journal/journal.jsonl");
    assert_int_equal(run("merge %s/journal --out %s/merged.json", folder, folder), STATUS_PARTIAL);
    assert_of_schema("merged.json");
}

// Only a result has the whole of an exhaustive check.
static void the_parts_of_an_exhaustive_check_are_refused(void **state) {
    assert_int_equal(
        run("check --tier exhaustive 'relu.scalar/f32' --range 0:0xffff --quiet --out %s/parts", folder), STATUS_OK);
    assert_int_equal(run("export %s/parts/*/*/journal.jsonl --format csv", folder), STATUS_BAD_INPUT);
    assert_says("journal.jsonl: line 2: $: a part of an exhaustive check; only result.json has the whole check");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coverage_takes_a_folder_of_examples),
        cmocka_unit_test(a_suite_is_named_wherever_one_stands),
        cmocka_unit_test(the_published_table_is_exported),
        cmocka_unit_test(the_published_spaces_are_exported),
        cmocka_unit_test(a_measured_space_is_exported_with_its_restrictions),
        cmocka_unit_test(a_file_of_another_kind_is_named),
        cmocka_unit_test(each_command_reads_a_result_in_each_form),
        cmocka_unit_test(each_form_has_the_same_records),
        cmocka_unit_test(the_parts_of_an_exhaustive_check_are_refused),
    };
    return cmocka_run_group_tests(tests, program_open, folder_remove);
}
