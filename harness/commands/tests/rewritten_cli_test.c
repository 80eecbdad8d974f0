// SPDX-License-Identifier: Apache-2.0
// Tests `check --rewritten` from outside: its outcome in files, its replay line, and commands that are refused.
#include "vkassay_program.h"
#include "../../record/record.h"
#include "../../record/terms.h"

#define POINT "relu.mine/f32/n=1025/wg=64x1x1"
#define OWN "--only %s/mine --quiet"

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_kernel_folder("mine", "relu", UNARY_KERNEL("relu.mine", "relu", "relu"),
        "    if (i < n) y[i] = !(x[i] <= -3.25) ? max(x[i], 0.0) : 0.0;\n");
    write_text("sign", "#!/bin/sh\nLC_ALL=C sed 's/\\x00\\x00\\x50\\xc0/\\x00\\x00\\x50\\x40/' \"$1\" >\"$2\"\n");
    return chmod(in_folder("sign"), 0700);
}

static void a_failure_is_in_all_files_and_replays(void **state) {
    struct result first, again;
    assert_int_equal(run("check " POINT " " OWN " --rewritten '%s/sign %%i %%o' --out %s/first --junit %s/junit.xml",
                         folder, folder, folder, folder),
        STATUS_WRONG);
    assert_holds("junit.xml", "rewritten");
    assert_holds("first/*/*/report.html", "rewritten");
    read_result("first", &first);
    const struct record *a = record_of(&first, "relu.mine");
    assert_int_equal(a->failed, CHECK_REWRITTEN);
    const char *arguments = strchr(a->replay, ' ') + 1;
    assert_int_equal(run("%s --quiet --out %s/again", arguments, folder), STATUS_WRONG);
    read_result("again", &again);
    assert_string_equal(record_of(&again, "relu.mine")->reason, a->reason);
    result_free(&first);
    result_free(&again);
}

static void what_cannot_be_run_is_refused(void **state) {
    static const struct {
        const char *options, *says;
    } refused[] = {
        {"--rewritten ' '", "cannot be run: expected a program"},
        {"--rewritten no-such-program", "found none of this name"},
        {"--rewritten cp --tier exhaustive", "--rewritten requires another tier than exhaustive"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(
            run("check " POINT " " OWN " %s --out %s/out", folder, refused[i].options, folder), STATUS_USAGE);
        assert_says(refused[i].says);
    }
}

// A command in a journal may be somebody else's.
static void a_recorded_command_is_not_run(void **state) {
    assert_int_equal(run("check " POINT " " OWN " --rewritten 'cp %%i %%o' --out %s/whole", folder, folder), STATUS_OK);
    assert_int_equal(run("check --resume $(dirname %s/whole/*/*/result.json)", folder), STATUS_USAGE);
    assert_says("the recorded --rewritten is ignored: repeat it with --resume");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_is_in_all_files_and_replays),
        cmocka_unit_test(what_cannot_be_run_is_refused),
        cmocka_unit_test(a_recorded_command_is_not_run),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
