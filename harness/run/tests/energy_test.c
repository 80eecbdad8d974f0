// SPDX-License-Identifier: Apache-2.0
// RAPL's counters, in a folder of our own: they add up over packages and begin again at their range.
#include "../energy.h"

#include "../../base/tests/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static void set_counter(int package, const char *name, unsigned long long value) {
    char path[200];
    snprintf(path, sizeof path, "%s/intel-rapl:%d", folder, package);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/intel-rapl:%d/%s", folder, package, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%llu\n", value);
    fclose(file);
}

static void without_counters_it_says_what_is_missing(void **state) {
    const char *why = NULL;
    (void)state;
    assert_null(energy_open_rapl("/nowhere", &why));
    assert_non_null(strstr(why, "RAPL"));
    struct device_info other = {.kind = DEVICE_DISCRETE, .vendor_id = 0x1002};
    assert_null(energy_open(&other, &why));
    assert_non_null(strstr(why, "vendor"));
}

static void counters_add_up_and_begin_again(void **state) {
    const char *why = NULL;
    double joules;
    (void)state;
    set_counter(0, "energy_uj", 9000000);
    set_counter(0, "max_energy_range_uj", 10000000);
    set_counter(1, "energy_uj", 500000);
    struct energy_meter *meter = energy_open_rapl(folder, &why);
    assert_non_null(meter);
    assert_string_equal(energy_source(meter), "rapl");
    assert_true(energy_read(meter, &joules) && joules == 0);
    set_counter(0, "energy_uj", 2000000); // 3 J on, over its range
    set_counter(1, "energy_uj", 1500000); // 1 J
    assert_true(energy_read(meter, &joules));
    assert_true(joules > 3.999 && joules < 4.001);
    energy_close(meter);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_counters_it_says_what_is_missing), cmocka_unit_test(counters_add_up_and_begin_again)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
