// SPDX-License-Identifier: Apache-2.0
// Reads RAPL's counters in a test folder: they add up over packages and wrap at their range. Reads NVML's counters
// through a made-up library controlled by the test's variables.
#include "../../../device/limits.h"
#include "../energy.h"

#include "../../../base/tests/folder.h"
#include "../../../device/device_info.h"
#include "../../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    assert_null(energy_open_rapl("/nowhere", &why));
    assert_non_null(strstr(why, "RAPL"));
    struct device_info other = {.kind = DEVICE_DISCRETE, .vendor_id = 0x1002};
    assert_null(energy_open(&other, &why));
    assert_non_null(strstr(why, "vendor"));
}

static void counters_add_up_and_begin_again(void **state) {
    const char *why = NULL;
    double joules;
    set_counter(0, "energy_uj", 9000000);
    set_counter(0, "max_energy_range_uj", 10000000);
    set_counter(1, "energy_uj", 500000);
    struct energy_meter *meter = energy_open_rapl(folder, &why);
    assert_non_null(meter);
    assert_string_equal(energy_source(meter), "rapl");
    assert_true(energy_read(meter, &joules) && joules == 0);
    set_counter(0, "energy_uj", 2000000); // 3 J more, beyond its range
    set_counter(1, "energy_uj", 1500000); // 1 J
    assert_true(energy_read(meter, &joules));
    assert_true(joules > 3.999 && joules < 4.001);
    set_counter(0, "energy_uj", 2500000); // since the second reading, not since the first
    assert_true(energy_read(meter, &joules));
    assert_true(joules > 4.499 && joules < 4.501);
    assert_true(energy_read(meter, &joules) && joules > 4.499 && joules < 4.501);
    energy_close(meter);
}

// Without its range, a wrapped counter gives no energy; the difference is not taken modulo 2^64.
static void a_counter_without_a_range_is_not_guessed(void **state) {
    const char *why = NULL;
    char path[200];
    double joules;
    set_counter(0, "energy_uj", 9000000);
    snprintf(path, sizeof path, "%s/intel-rapl:0/max_energy_range_uj", folder);
    remove(path);
    struct energy_meter *meter = energy_open_rapl(folder, &why);
    assert_non_null(meter);
    set_counter(0, "energy_uj", 9500000);
    assert_true(energy_read(meter, &joules));
    assert_true(joules > 0.499 && joules < 0.501);
    set_counter(0, "energy_uj", 100);
    assert_false(energy_read(meter, &joules));
    energy_close(meter);
}

static void put_name(int package, const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/intel-rapl:%d/name", folder, package);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s\n", name);
    fclose(file);
}

static void the_platform_s_counter_is_none_of_a_package(void **state) {
    const char *why = NULL;
    double joules;
    set_counter(0, "energy_uj", 1000000);
    set_counter(1, "energy_uj", 1000000);
    put_name(0, "package-0");
    put_name(1, "psys");
    struct energy_meter *meter = energy_open_rapl(folder, &why);
    assert_non_null(meter);
    set_counter(0, "energy_uj", 3000000);
    set_counter(1, "energy_uj", 9000000);
    assert_true(energy_read(meter, &joules));
    assert_true(joules > 1.999 && joules < 2.001);
    energy_close(meter);
}

// NVML's documented signatures; 0 is success. The library knows one device and counts as a variable demands. Another
// variable shows whether it is open.
static const char made_up_nvml[] =
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "static int device;\n"
    "static unsigned long long number(const char *name) {\n"
    "    const char *value = getenv(name);\n"
    "    return value ? strtoull(value, NULL, 10) : 0;\n"
    "}\n"
    "int nvmlInit_v2(void) { return setenv(\"MADE_UP_OPEN\", \"1\", 1); }\n"
    "int nvmlShutdown(void) { return setenv(\"MADE_UP_OPEN\", \"0\", 1); }\n"
    "int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **out) {\n"
    "    *out = &device;\n"
    "    return strcmp(pci, \"0000:65:00.0\") == 0 ? 0 : 6;\n"
    "}\n"
    "#ifndef COUNTS_NOTHING\n"
    "int nvmlDeviceGetTotalEnergyConsumption(void *of, unsigned long long *millijoules) {\n"
    "    *millijoules = number(\"MADE_UP_MILLIJOULES\");\n"
    "    return of == &device ? (int)number(\"MADE_UP_ERROR\") : 2;\n"
    "}\n"
    "#endif\n";

// Builds the library and returns its path. The path is always new, because a loaded library may stay loaded.
static const char *build_nvml(const char *flags) {
    static char path[400];
    static int count;
    char command[1200];
    snprintf(path, sizeof path, "%s-%d", in_folder("libnvidia-ml.so.1"), ++count);
    FILE *source = fopen(in_folder("nvml.c"), "w");
    assert_non_null(source);
    fputs(made_up_nvml, source);
    fclose(source);
    snprintf(command, sizeof command, "cc -shared -fPIC -D_GNU_SOURCE %s %s -o %s", flags, in_folder("nvml.c"), path);
    assert_int_equal(system(command), 0);
    return path;
}

static void nvml_counts_from_when_it_was_opened(void **state) {
    const char *why = NULL, *library = build_nvml("");
    double joules;
    setenv("MADE_UP_MILLIJOULES", "123456789012", 1);
    struct energy_meter *meter = energy_open_nvml(library, "0000:65:00.0", &why);
    assert_non_null(meter);
    assert_string_equal(energy_source(meter), "nvml");
    assert_string_equal(getenv("MADE_UP_OPEN"), "1");
    assert_true(energy_read(meter, &joules) && joules == 0);
    setenv("MADE_UP_MILLIJOULES", "123456791512", 1);
    assert_true(energy_read(meter, &joules));
    assert_true(joules > 2.4999 && joules < 2.5001);
    assert_true(energy_read(meter, &joules) && joules > 2.4999 && joules < 2.5001); // nothing since
    setenv("MADE_UP_MILLIJOULES", "123456791612", 1);
    assert_true(energy_read(meter, &joules) && joules > 2.5999 && joules < 2.6001);
    setenv("MADE_UP_MILLIJOULES", "100", 1); // as after a driver was reloaded
    assert_false(energy_read(meter, &joules));
    setenv("MADE_UP_MILLIJOULES", "123456792512", 1);
    setenv("MADE_UP_ERROR", "15", 1); // the device is lost
    assert_false(energy_read(meter, &joules));
    energy_close(meter);
    unsetenv("MADE_UP_ERROR");
    assert_string_equal(getenv("MADE_UP_OPEN"), "0");
}

static void nvml_says_why_it_counts_nothing(void **state) {
    const char *why = NULL, *library = build_nvml("");
    assert_null(energy_open_nvml(in_folder("none.so"), "0000:65:00.0", &why));
    assert_string_equal(why, "the library of NVML (libnvidia-ml.so.1) is not here");
    assert_null(energy_open_nvml(library, "0000:66:00.0", &why));
    assert_string_equal(why, "NVML does not count this device's energy");
    assert_string_equal(getenv("MADE_UP_OPEN"), "0");
    setenv("MADE_UP_ERROR", "3", 1); // not supported
    assert_null(energy_open_nvml(library, "0000:65:00.0", &why));
    assert_string_equal(why, "NVML does not count this device's energy");
    unsetenv("MADE_UP_ERROR");
    assert_null(energy_open_nvml(build_nvml("-DCOUNTS_NOTHING"), "0000:65:00.0", &why));
    assert_string_equal(why, "NVML does not count this device's energy");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_counters_it_says_what_is_missing),
        cmocka_unit_test(counters_add_up_and_begin_again),
        cmocka_unit_test(a_counter_without_a_range_is_not_guessed),
        cmocka_unit_test(the_platform_s_counter_is_none_of_a_package),
        cmocka_unit_test(nvml_counts_from_when_it_was_opened),
        cmocka_unit_test(nvml_says_why_it_counts_nothing),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
