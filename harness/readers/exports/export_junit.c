// SPDX-License-Identifier: Apache-2.0
// Writes JUnit XML for CI servers. There is no single standard. The file keeps to the common part of two schemas,
// reports/schema/junit.xsd. Jenkins' xUnit plugin (junit-10.xsd) allows times only down to milliseconds. Apache Ant
// (JUnit.xsd) allows no type for skipped tests.
#include "export.h"

#include "../../base/fields.h"
#include "../../record/terms.h"
#include "../render/outcomes.h"
#include "../../record/result.h"
#include "../../record/wall.h"
#include "../../record/record.h"
#include "../../device/device_info.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

// Returns the number of bytes to omit at `s`, which is valid UTF-8. XML 1.0 forbids most control characters, U+FFFE
// and U+FFFF in any form. The allowed control characters steer terminals, so they are omitted too, as are carriage
// returns.
static size_t forbidden(const char *s) {
    unsigned char c = (unsigned char)s[0], next = c ? (unsigned char)s[1] : 0;
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f) return 1;
    if (c == 0xc2 && next < 0xa0) return 2;
    return c == 0xef && next == 0xbf && ((unsigned char)s[2] & 0xfe) == 0xbe ? 3 : 0;
}

// Appends untrusted text, escaped, without characters forbidden in XML 1.0. In attributes, line breaks are written as
// references, because readers would turn them into spaces.
static void put_xml(struct text *out, const char *string, bool attribute) {
    static const struct {
        char c;
        const char *text;
        bool always;
    } escapes[] = {{'&', "&amp;", true}, {'<', "&lt;", true}, {'>', "&gt;", true}, {'"', "&quot;", false},
        {'\n', "&#10;", false}, {'\t', "&#9;", false}};
    struct json_object *clean = json_text(string);
    for (const char *s = clean ? json_object_get_string(clean) : ""; *s;) {
        size_t skipped = forbidden(s), i = 0;
        s += skipped;
        if (skipped) continue;
        while (i < 6 && !(escapes[i].c == *s && (escapes[i].always || attribute))) i++;
        if (i < 6)
            text_append(out, escapes[i].text);
        else
            text_append_n(out, s, 1);
        s++;
    }
    json_object_put(clean);
}

static void put_attribute(struct text *out, const char *name, const char *value) {
    text_format(out, " %s=\"", name);
    put_xml(out, value, true);
    text_append(out, "\"");
}

static void put_property(struct text *out, const char *name, const char *value) {
    text_append(out, "   <property");
    put_attribute(out, "name", name);
    put_attribute(out, "value", value);
    text_append(out, "/>\n");
}

// Appends "1.5", "nan" or "-inf".
static void put_value(struct text *out, double value) {
    if (isfinite(value))
        text_number(out, value);
    else
        text_append(out, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

// Appends the worst element of a wrong point: its inputs, the value got, the value wanted, and the error.
static void put_worst(struct text *out, const struct record *r) {
    if (r->check.checked <= 0 || r->check.worst_index < 0) return;
    text_format(out, "worst element: %s[%" PRId64 "]\n", r->check.worst_operand ? r->check.worst_operand : "",
        r->check.worst_index);
    for (int i = 0; i < r->check.input_count; i++) {
        text_format(out, "%s%s = ", i ? ", " : "inputs: ", r->check.inputs[i].name);
        put_value(out, r->check.inputs[i].value);
    }
    text_append(out, r->check.input_count ? "\ngot: " : "got: ");
    put_value(out, r->check.got);
    text_append(out, "\nwant: ");
    put_value(out, r->check.want);
    if (isfinite(r->check.worst_ulp))
        text_format(out, "\nerror: %.6g ULP", r->check.worst_ulp);
    else if (isinf(r->check.worst_ulp))
        text_append(out, "\nerror: of another class");
    if (isfinite(r->check.bound_ulp)) text_format(out, "\nbound: %.6g ULP", r->check.bound_ulp);
    text_append(out, "\n");
}

// The JUnit element for each outcome. Expected failures count as skipped, because the run is good.
static const struct junit_form {
    const char *element, *type; // no element: passed; no type: the record's status
} forms[] = {
    [OUTCOME_GOOD] = {NULL, NULL},
    [OUTCOME_EXPECTED_FAILURE] = {"skipped", NULL},
    [OUTCOME_KNOWN_FLAKE] = {"skipped", NULL},
    [OUTCOME_UNEXPECTED_PASS] = {"failure", "unexpected-pass"},
    [OUTCOME_WRONG] = {"error", NULL},
};

static bool is_element(const struct junit_form *form, const char *element) {
    return form->element && strcmp(form->element, element) == 0;
}

static struct junit_form form_of(const struct record *r) {
    struct junit_form form = forms[record_outcome(r)];
    if (r->status == RECORD_SKIP) form.element = "skipped";
    if (is_element(&form, "error") && r->status == RECORD_FAIL) form.element = "failure";
    if (!form.type) form.type = record_status_name(r->status);
    return form;
}

// Appends the reason. If an expectation or several attempts matter, the outcome comes first.
static void put_message(struct text *out, const struct record *r) {
    if (r->status != RECORD_SKIP && (r->expected.status || r->attempts.flaky)) {
        put_record_outcome(out, r);
        text_append(out, ": ");
    }
    text_append(out, reason_of(r));
}

static void put_case(struct text *out, const struct record *r) {
    struct junit_form form = form_of(r);
    text_append(out, "  <testcase");
    put_attribute(out, "name", r->name);
    put_attribute(out, "classname", r->kernel);
    text_format(out, " time=\"%.3f\"", (double)wall_total(&r->wall) * 1e-9);
    text_append(out, form.element ? ">\n" : "/>\n");
    if (!form.element) return;
    struct text message = {0}, body = {0};
    put_message(&message, r);
    text_format(out, "   <%s", form.element);
    if (!is_element(&form, "skipped")) put_attribute(out, "type", form.type);
    put_attribute(out, "message", text_str(&message));
    text_append(out, ">");
    if (r->status != RECORD_SKIP) {
        text_format(&body, "%s\n", text_str(&message));
        put_worst(&body, r);
        for (const struct check_info *check = checks; check->key; check++)
            if (r->failed & check->bit) text_format(&body, "%s; look at: %s\n", check->words, check->look_at);
        if (r->replay) text_format(&body, "replay: %s\n", r->replay);
    }
    put_xml(out, text_str(&body), false);
    text_format(out, "</%s>\n  </testcase>\n", form.element);
    text_free(&message);
    text_free(&body);
}

// Appends the start time without a time zone, as the schemas require. An invalid time becomes the epoch.
static void put_timestamp(struct text *out, const char *started) {
    struct tm parts = {0};
    char text[32] = "1970-01-01T00:00:00";
    if (strptime(started, "%Y-%m-%dT%H:%M:%SZ", &parts) && parts.tm_year > 0 && parts.tm_year < 1000) {
        time_t seconds = timegm(&parts);
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &parts));
    }
    text_format(out, " timestamp=\"%s\"", text);
}

static size_t count_of(const struct result *result, const char *element) {
    size_t count = 0;
    for (size_t i = 0; i < result->count; i++) {
        struct junit_form form = form_of(&result->records[i]);
        count += is_element(&form, element);
    }
    return count;
}

static void put_properties(struct text *out, const struct result *result) {
    struct json_object *run = json_get(result->context, "run"), *tool = json_get(result->context, "tool");
    struct arena scratch = {0};
    struct text driver = {0};
    text_format(&driver, "%s %s", result->device->driver_name, result->device->driver_info);
    text_append(out, "  <properties>\n");
    put_property(out, "device", result->device->name);
    put_property(out, "device_uuid", result->device->device_uuid);
    put_property(out, "driver", text_str(&driver));
    put_property(out, "suite", result_suite(&scratch, result, ""));
    put_property(out, "seed", json_get_string(run, "seed", ""));
    put_property(out, "vkassay", json_get_string(tool, "version", ""));
    put_property(out, "git", json_get_string(tool, "git", ""));
    text_append(out, "  </properties>\n");
    text_free(&driver);
    arena_free(&scratch);
}

// Appends a suite. Results do not contain the machine's name, so hostname is the schemas' word for an unknown host.
static void put_suite(struct text *out, const struct result *result, size_t id) {
    struct json_object *run = json_get(result->context, "run");
    struct text name = {0};
    text_format(&name, "%s on %s", json_get_string(run, "suite", "points"), result->device->name);
    text_append(out, " <testsuite");
    put_attribute(out, "name", text_str(&name));
    text_format(out, " id=\"%zu\" package=\"vkassay\" hostname=\"localhost\"", id);
    put_timestamp(out, json_get_string(run, "started", ""));
    text_format(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n", result->count,
        count_of(result, "failure"), count_of(result, "error"), count_of(result, "skipped"),
        fmin(fmax(json_get_double(run, "wall_s", 0), 0), 1e9));
    put_properties(out, result);
    for (size_t i = 0; i < result->count; i++) put_case(out, &result->records[i]);
    text_append(out, "  <system-out></system-out>\n  <system-err></system-err>\n </testsuite>\n");
    text_free(&name);
}

static bool put_junit(struct text *out, const struct result *results, size_t count, struct error *err) {
    (void)err;
    text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (size_t i = 0; i < count; i++) put_suite(out, &results[i], i);
    text_append(out, "</testsuites>\n");
    return true;
}

const struct export_format format_junit = {
    .name = "junit", .summary = "JUnit XML: a test case for each point, for CI servers", .put = put_junit};
