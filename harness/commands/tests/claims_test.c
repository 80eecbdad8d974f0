// SPDX-License-Identifier: Apache-2.0
// Tests `vkassay claims` from outside: runs a file with a few claims on any device, then renders the result again.
#include "../../base/tests/needs.h"
#include "../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char program[4096], folder[] = "/tmp/vkassay-claims-XXXXXX";

static int run(const char *arguments) {
    char command[9000];
    snprintf(
        command, sizeof command, "VKASSAY_CACHE=%s/cache %s %s >%s/output 2>&1", folder, program, arguments, folder);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Returns the text of the first file matching the pattern within the folder.
static const char *text_of(const char *pattern) {
    static char text[400000];
    char command[600];
    snprintf(command, sizeof command, "cat %s/%s", folder, pattern);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    text[fread(text, 1, sizeof text - 1, pipe)] = '\0';
    pclose(pipe);
    return text;
}

static void assert_holds(const char *pattern, const char *part) {
    if (!strstr(text_of(pattern), part)) fail_msg("expected '%s' in %s:\n%.3000s", part, pattern, text_of(pattern));
}

static void write_claims(void) {
    char path[300];
    snprintf(path, sizeof path, "%s/few.json", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
        "{\"schema_version\": 1, \"name\": \"few\", \"summary\": \"a test\", \"settings\": {\"point_seconds\": 0.01, "
        "\"reference_seconds\": 0.01},\n"
        "\"entries\": [{\"kernel\": \"add.vec4\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": [64, 4096]}, \"shapes\": "
        "\"default\"},\n"
        "  {\"probe\": \"submit.*\", \"dims\": {\"k\": [1, 32]}}, {\"probe\": \"allocate.*\", \"dims\": {\"bytes\": "
        "65536, \"n\": 8}}],\n"
        "\"claims\": [\n"
        "{\"id\": \"C-1\", \"systems\": [\"torsh\"], \"claim\": \"many are cheaper <script>\", \"check\": \"c\", "
        "\"parts\": [{\"what\": \"each over many\",\n"
        "  \"decide\": \"ratio\", \"of\": {\"points\": \"submit.each/probe/k=32\", \"figure\": \"end_to_end\"},\n"
        "  \"over\": {\"points\": \"submit.free/probe/k=32\", \"figure\": \"end_to_end\"}, \"low\": 0.001}],\n"
        "  \"charts\": [{\"title\": \"a dispatch\", \"dim\": \"k\", \"x_title\": \"k\", \"series\": [{\"title\": "
        "\"free\", \"of\": \"submit.free/probe\"}]}]},\n"
        "{\"id\": \"C-2\", \"systems\": [\"torchless\"], \"claim\": \"t\", \"check\": \"c\", "
        "\"proxy\": \"C for WASM\", \"parts\": [{\"what\": "
        "\"waste\", \"decide\": \"band\",\n"
        "  \"of\": {\"points\": \"allocate.pool/probe\", \"figure\": \"fact:waste\"}, \"low\": 3}]},\n"
        "{\"id\": \"C-3\", \"systems\": [\"candle\"], \"claim\": \"t\", \"check\": \"c\", \"parts\": [{\"what\": "
        "\"w\", \"decide\": \"band\", \"of\": \"mul.vec4\"}]},\n"
        "{\"id\": \"C-4\", \"systems\": [\"candle\"], \"claim\": \"t\", \"check\": \"c\", \"parts\": [{\"what\": "
        "\"right\", \"decide\": \"pass\", \"of\": \"add.*\"}]}\n"
        "]}\n");
    fclose(file);
}

static void a_few_claims_are_decided(void **state) {
    char arguments[900];
    write_claims();
    snprintf(arguments, sizeof arguments, "claims --suite %s/few.json --out %s/run", folder, folder);
    needs_hardware(run("devices --json") != 69, "Vulkan device");
    assert_int_equal(run(arguments), 0);
    assert_holds("output", "C-1 holds: ");
    assert_holds("output", "C-2 does not hold, by a proxy (C for WASM): ");
    assert_holds("output", "C-3 cannot be measured here: ");
    assert_holds("output", "mul.vec4 was not run here");
    assert_holds("output", "C-4 holds: ");
    assert_holds("output", "4 claims: 2 hold, 1 does not, 1 cannot be measured here");
    assert_holds("run/*/*/claims.md", "| C-2 | torchless ");
    assert_holds("run/*/*/claims.md", "| does not hold, by a proxy (C for WASM) |");
    assert_holds("run/*/*/claims.html", "does not hold, by a proxy (C for WASM)");
    assert_holds("run/*/*/claims.html", "4 claims: 2 hold");
    assert_holds("run/*/*/claims.html", "many are cheaper &lt;script&gt;");
    assert_holds("run/*/*/claims.html", "<figure");
    // Renders the same from the result, into another folder.
    snprintf(arguments, sizeof arguments, "claims --suite %s/few.json --out %s/again %s/run/*/*/result.json", folder,
        folder, folder);
    assert_int_equal(run(arguments), 0);
    assert_holds("output", "4 claims: 2 hold, 1 does not, 1 cannot be measured here");
    assert_holds("again/claims.html", "4 claims: 2 hold");
    assert_holds("again/data/claim-C-1-1.dat", "free");
}

static void what_is_off_is_said(void **state) {
    assert_int_equal(run("claims --suite quick none.json"), 65);
    assert_holds("output", "claims");
    assert_int_equal(run("claims none.json"), 65);
    assert_holds("output", "none.json");
}

static int make_folder(void **state) {
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 20);
    if (length < 0 || !mkdtemp(folder)) return -1;
    program[length] = '\0';
    *strrchr(program, '/') = '\0'; // BUILD/tests
    strcpy(strrchr(program, '/'), "/vkassay");
    return access(program, X_OK);
}

static int remove_folder(void **state) {
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_claims_are_decided), cmocka_unit_test(what_is_off_is_said)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
