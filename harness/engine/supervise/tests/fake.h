// SPDX-License-Identifier: Apache-2.0
// A fake worker without a device: the test program, started with "worker" as its argument. The name of a point's
// kernel decides what it does.
//
// The first kernel folder of the configuration is a script for the start ("", "exit9", "garbage", "sorry", "tardy").
// The second is the log: a line "PID start" for each worker, and "PID KERNEL" for each point it was given.
#ifndef VKASSAY_SUPERVISE_FAKE_H
#define VKASSAY_SUPERVISE_FAKE_H

#include "../supervise.h"
#include "../../../record/tests/case_length.h"
#include "../../../record/record.h"
#include "../../../truth/stats/summary.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *fake_log = "";
static bool fake_assisted; // by GPU-assisted validation

static void fake_note(const char *what) {
    FILE *log = fopen(fake_log, "a");
    if (!log) return;
    fprintf(log, "%d %s\n", (int)getpid(), what);
    fclose(log);
}

static void fake_say(const char *line) {
    dprintf(3, "%s\n", line);
}

// Counts the points of this kernel in the log.
static int fake_times(const char *kernel) {
    char line[400], name[400];
    int times = 0, pid;
    FILE *log = fopen(fake_log, "r");
    while (log && fgets(line, sizeof line, log))
        times += sscanf(line, "%d %399s", &pid, name) == 2 && strcmp(name, kernel) == 0;
    if (log) fclose(log);
    return times;
}

static double fake_sample[] = {1e6};

static struct json_object *fake_record(
    const char *name, const char *kernel, const char *peak, enum record_status status, const char *reason) {
    static char replay[400];
    snprintf(replay, sizeof replay, "vkassay check '%.300s' --seed 7", name);
    struct record record = {.name = name,
        .case_length = case_length(name),
        .part = strstr(name, "/bits=") != NULL,
        .replay = replay,
        .call = strstr(kernel, "call") ? "vkQueueSubmit: VK_ERROR_UNKNOWN" : NULL,
        .operator= "relu",
        .kernel = kernel,
        .dtype = "f32",
        .wg = {1, 1, 1},
        .systems = "",
        .peak = peak,
        .status = status,
        .reason = reason,
        .flops = 2e6,
        .bytes = 4e6,
        .drift = NAN};
    for (int i = 0; i < FIGURE_COUNT; i++) record.time[i] = summarize(NULL, 0);
    record.time[FIGURE_COMPUTE] = summarize(fake_sample, 1);
    record.samples[FIGURE_COMPUTE] = fake_sample;
    return record_to_json(&record, true);
}

// Sends a message with only a number besides its type.
static void fake_tell(const char *type, size_t index) {
    dprintf(3, "{\"type\":\"%s\",\"index\":%zu}\n", type, index);
}

static void fake_answer(
    const char *name, const char *kernel, const char *peak, enum record_status status, const char *reason) {
    struct json_object *record = fake_record(name, kernel, peak, status, reason);
    dprintf(3, "{\"type\":\"record\",\"record\":%s}\n", json_object_to_json_string_ext(record, JSON_C_TO_STRING_PLAIN));
    json_object_put(record);
}

static void fake_halves(const char *name, const char *kernel) {
    struct json_object *record = fake_record(name, kernel, NULL, RECORD_PASS, NULL);
    const char *line = json_object_to_json_string_ext(record, JSON_C_TO_STRING_PLAIN);
    int half = (int)strlen(line) / 2;
    dprintf(3, "{\"type\":\"record\",\"record\":%.*s", half, line);
    usleep(20000);
    dprintf(3, "%s}\n", line + half);
    json_object_put(record);
}

static void fake_flood(void) {
    static char bytes[1 << 20];
    memset(bytes, 'x', sizeof bytes);
    while (write(3, bytes, sizeof bytes) > 0) {
    }
}

// Waits to be killed.
static void fake_hang(void) {
    for (;;) pause();
}

// Acts with only an answer. Acts in no list pass.
static const struct {
    const char *act;
    enum record_status status;
    const char *reason;
} fake_answers[] = {
    {"fail", RECORD_FAIL, "wrong"},
    {"error", RECORD_ERROR, "does not compile"},
    {"skip", RECORD_SKIP, "no float16"},
    {"call", RECORD_ERROR, "vkQueueSubmit: VK_ERROR_UNKNOWN"},
    {"call2", RECORD_ERROR, "vkQueueSubmit: VK_ERROR_UNKNOWN"},
    {"call3", RECORD_ERROR, "vkQueueSubmit: VK_ERROR_UNKNOWN"},
    {"call4", RECORD_ERROR, "vkQueueSubmit: VK_ERROR_UNKNOWN"},
    {"lost", RECORD_DEVICE_LOST, "device lost"},
    {"late", RECORD_TIMEOUT, "the GPU did not finish"},
};

static const struct {
    const char *act, *line;
} fake_nonsense[] = {
    {"garbage", "Segmentation \x01 fault \xff (core dumped)"},
    {"torn", "{\"name\": \"fake.t"},
    {"number", "17"},
};

static void fake_die(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

// Acts without an answer.
static void fake_lose(const char *kernel, const char *act) {
    if (!strcmp(act, "segv")) fake_die(SIGSEGV);
    if (!strcmp(act, "abrt")) fake_die(SIGABRT);
    if (!strcmp(act, "exit3")) _exit(3);
    if (!strcmp(act, "hang")) fake_hang();
    if (!strcmp(act, "hang_once") && fake_times(kernel) == 1) fake_hang();
    // Dies before the N-th request for it alone, at all but this one, or from it on.
    if (!strncmp(act, "segv_until", 10) && fake_times(kernel) < atoi(act + 10)) fake_die(SIGSEGV);
    if (!strncmp(act, "segv_but", 8) && fake_times(kernel) != atoi(act + 8)) fake_die(SIGSEGV);
    if (!strncmp(act, "segv_from", 9) && fake_times(kernel) >= atoi(act + 9)) fake_die(SIGSEGV);
    if (!strcmp(act, "flood")) fake_flood();
    if (!strcmp(act, "deaf")) {
        close(0);
        close(3);
        fake_hang();
    }
}

// Acts that pass only if another worker is at such an act at the same time.
static enum record_status fake_meet(void) {
    fake_note("meeting");
    for (int i = 0; i < 1000 && fake_times("meeting") < 2; i++) usleep(10000);
    return fake_times("meeting") < 2 ? RECORD_FAIL : RECORD_PASS;
}

// Acts that change from the first time to the second.
static enum record_status fake_fickle(const char *kernel, const char *act, enum record_status usual) {
    bool first = fake_times(kernel) == 1;
    if (!strcmp(act, "fails_once")) return first ? RECORD_FAIL : RECORD_PASS;
    if (!strcmp(act, "fails_later")) return first ? RECORD_PASS : RECORD_FAIL;
    if (!strcmp(act, "late_once")) return first ? RECORD_TIMEOUT : RECORD_PASS;
    if (!strcmp(act, "skips_once")) return first ? RECORD_SKIP : RECORD_PASS;
    if (!strcmp(act, "lost_once")) return first ? RECORD_DEVICE_LOST : RECORD_PASS;
    if (!strncmp(act, "lost_until", 10)) return fake_times(kernel) < atoi(act + 10) ? RECORD_DEVICE_LOST : RECORD_PASS;
    if (!strncmp(act, "late_until", 10)) return fake_times(kernel) < atoi(act + 10) ? RECORD_TIMEOUT : RECORD_PASS;
    if (!strncmp(act, "meet", 4)) return fake_meet();
    return usual;
}

// A kernel to tune, at n=100. Workgroups of 128 are the fastest but wrong at other n; 512 is wrong everywhere; 256
// crashes. Other sizes lose 0.2 ms for each halving or doubling. "valley_shaky" fails at its first request, 16 of
// "valley_later" after ten requests, and "valley_skips" skips what is wrong.
static void fake_valley(const char *name, const char *kernel) {
    int n = 0, x = 0, steps = 0;
    const char *dims = strstr(name, "/n="), *shape = strstr(name, "/wg=");
    if (!dims || !shape || sscanf(dims, "/n=%d", &n) != 1 || sscanf(shape, "/wg=%d", &x) != 1 || x < 1) return;
    for (int from = x; from > 128; from /= 2) steps++;
    for (int from = x; from < 128; from *= 2) steps++;
    if (x == 256) fake_die(SIGSEGV);
    bool shaky = !strcmp(kernel, "fake.valley_shaky") && fake_times(kernel) == 1;
    bool later = !strcmp(kernel, "fake.valley_later") && fake_times(kernel) > 10 && x == 16;
    bool wrong = shaky || later || x == 512 || (x == 128 && n != 100);
    enum record_status bad = strcmp(kernel, "fake.valley_skips") ? RECORD_FAIL : RECORD_SKIP;
    fake_sample[0] = 1e6 + 2e5 * steps;
    fake_answer(name, kernel, NULL, wrong ? bad : RECORD_PASS, wrong ? "wrong" : NULL);
}

// Returns the act of this worker. "bare_ACT" is ACT only under GPU-assisted validation, and passes without it.
// "bare_shaky" then crashes, and fails at the first time without it.
static const char *fake_act_of(const char *kernel) {
    const char *act = strchr(kernel, '.') + 1;
    if (strncmp(act, "bare_", 5) != 0) return act;
    if (!strcmp(act, "bare_shaky")) return fake_assisted ? "segv" : fake_times(kernel) == 2 ? "fail" : "pass";
    return fake_assisted ? act + 5 : "pass";
}

static void fake_act(const char *name, const char *kernel, const char *peak) {
    const char *act = fake_act_of(kernel);
    for (size_t i = 0; i < sizeof fake_nonsense / sizeof *fake_nonsense; i++)
        if (!strcmp(act, fake_nonsense[i].act)) {
            fake_say(fake_nonsense[i].line);
            return;
        }
    fake_lose(kernel, act);
    if (!strncmp(act, "valley", 6)) {
        fake_valley(name, kernel);
        return;
    }
    if (!strncmp(act, "slow", 4)) usleep(100000);
    if (!strcmp(act, "halves")) {
        fake_halves(name, kernel);
        return;
    }
    enum record_status status = RECORD_PASS;
    const char *reason = NULL;
    for (size_t i = 0; i < sizeof fake_answers / sizeof *fake_answers; i++)
        if (!strcmp(act, fake_answers[i].act)) {
            status = fake_answers[i].status;
            reason = fake_answers[i].reason;
        }
    status = fake_fickle(kernel, act, status);
    if (status != RECORD_PASS && !reason) reason = "wrong";
    const char *as = strcmp(act, "other") ? name : "another/f32/n=1/wg=1x1x1";
    fake_answer(as, kernel, peak, status, reason);
    if (!strcmp(act, "babble")) fake_say("one more thing");
    if (!strcmp(act, "leave")) _exit(5);
}

static void fake_start(const char *script) {
    fake_note("start");
    if (!strcmp(script, "exit9")) _exit(9);
    if (!strcmp(script, "tardy")) usleep(900000);
    if (!strcmp(script, "garbage"))
        fake_say("hello");
    else if (!strcmp(script, "sorry"))
        fake_say("{\"type\": \"error\", \"error\": \"no driver is left\", \"status\": 69}");
    else
        fake_say("{\"type\":\"ready\"}");
}

static void fake_devices(void) {
    const char *script = getenv("FAKE_DEVICES");
    if (script && !strcmp(script, "segv")) fake_die(SIGSEGV);
    if (script && !strcmp(script, "error"))
        fake_say("{\"type\": \"error\", \"error\": \"the loader says no\", \"status\": 70}");
    if (script && !strcmp(script, "none")) fake_say("{\"type\": \"devices\", \"devices\": []}");
    if (script && !strcmp(script, "garbage")) fake_say("[]");
    if (script && *script == '{') fake_say(script);
}

// Logs descriptors unexpected in a worker.
static void fake_look_at_descriptors(void) {
    for (int fd = 4; fd < 64; fd++)
        if (fcntl(fd, F_GETFD) >= 0) fake_note("descriptor");
}

// Answers for a group. Each point is begun, and may lose the worker. "rounds_segv" kills the worker while all are
// timed, but passes alone. Then come the answers, or only the answer of the point with the lost device.
static void fake_group(struct json_object *group) {
    char kernel[200];
    size_t count = json_object_array_length(group);
    bool dies = false;
    fake_note("group");
    for (size_t i = 0; i < count; i++) {
        const char *name = json_get_string(json_object_array_get_idx(group, i), "name", "");
        snprintf(kernel, sizeof kernel, "%.*s", (int)strcspn(name, "/"), name);
        fake_tell("at", i);
        fake_lose(kernel, strchr(kernel, '.') + 1);
        dies |= strcmp(kernel, "fake.rounds_segv") == 0;
        if (strcmp(kernel, "fake.lost") != 0) continue;
        fake_answer(name, kernel, NULL, RECORD_DEVICE_LOST, "device lost");
        _exit(0);
    }
    fake_tell("at", count);
    if (dies) fake_die(SIGSEGV);
    for (size_t i = 0; i < count; i++) {
        const char *name = json_get_string(json_object_array_get_idx(group, i), "name", "");
        snprintf(kernel, sizeof kernel, "%.*s", (int)strcspn(name, "/"), name);
        fake_act(name, kernel, NULL);
    }
}

// Builds shaders one after the other; some kernels lose the worker. With "together" among the names, all are begun
// before any is built.
static void fake_build(size_t i, const char *name, bool first) {
    if (strstr(name, "fake.unbuildable_once") ? first : strstr(name, "fake.unbuildable") != NULL) fake_die(SIGSEGV);
    if (strstr(name, "fake.dying")) {
        fake_tell("died", i);
        fake_die(SIGABRT);
    }
    if (strstr(name, "fake.unready") && first) {
        fake_answer(name, "fake.unready", NULL, RECORD_DEVICE_LOST, "device lost");
        _exit(0);
    }
    if (strstr(name, "fake.endless") && first) fake_hang();
}

static void fake_prefill(struct json_object *points) {
    size_t count = json_object_array_length(points);
    fake_note("prefill");
    bool first = fake_times("prefill") == 1;
    bool together = strstr(json_object_get_string(points), "fake.together") != NULL;
    for (size_t i = 0; together && i < count; i++) fake_tell("at", i);
    for (size_t i = 0; i < count; i++) {
        if (!together) fake_tell("at", i);
        fake_build(i, json_get_string(json_object_array_get_idx(points, i), "name", ""), first);
        if (!together) fake_tell("built", i);
    }
    fake_say("{\"type\":\"ready\"}");
}

// Answers for a pair; a side that loses the worker takes the other side along. "rounds_segv" passes alone. With
// "slowly", each side and their timing take 0.8 s each.
static void fake_pair(struct json_object *points) {
    char kernels[2][200];
    bool dies = false, slow = strstr(json_object_get_string(points), "fake.slowly") != NULL;
    fake_note("pair");
    for (size_t i = 0; i < 2; i++) {
        const char *name = json_get_string(json_object_array_get_idx(points, i), "name", "");
        snprintf(kernels[i], sizeof kernels[i], "%.*s", (int)strcspn(name, "/"), name);
        fake_tell("at", i);
        fake_lose(kernels[i], strchr(kernels[i], '.') + 1);
        dies |= strcmp(kernels[i], "fake.rounds_segv") == 0;
        if (slow) usleep(800000);
    }
    fake_tell("at", 2);
    if (dies) fake_die(SIGSEGV);
    if (slow) usleep(800000);
    for (size_t i = 0; i < 2; i++)
        fake_act(json_get_string(json_object_array_get_idx(points, i), "name", ""), kernels[i], NULL);
}

// Runs the unchanged kernel, then the mutant, which is an act. "sound_segv" loses the worker to the unchanged kernel.
static void fake_mutant(struct json_object *points, const char *mutant) {
    static char kernel[200], name[400];
    const char *point = json_get_string(json_object_array_get_idx(points, 0), "name", "");
    snprintf(kernel, sizeof kernel, "%.*s", (int)strcspn(point, "/"), point);
    snprintf(name, sizeof name, "%s!%s", kernel, mutant);
    fake_tell("at", 0);
    if (!strcmp(mutant, "sound_segv")) fake_die(SIGSEGV);
    fake_tell("at", 1);
    fake_lose(kernel, mutant);
    fake_answer(name, kernel, NULL, strcmp(mutant, "fail") ? RECORD_PASS : RECORD_FAIL,
        strcmp(mutant, "fail") ? NULL : "wrong");
}

static void fake_point(struct json_object *point) {
    static char kernel[200];
    const char *name = json_get_string(point, "name", "");
    snprintf(kernel, sizeof kernel, "%.*s", (int)strcspn(name, "/"), name);
    fake_note(kernel);
    fake_act(name, kernel, json_get_string(point, "peak", NULL));
}

static void fake_obey(struct json_object *message) {
    const char *type = json_get_string(message, "type", "");
    struct json_object *folders = json_get(message, "kernels"), *points = json_get(message, "points");
    if (!strcmp(type, "describe")) {
        fake_devices();
        exit(0);
    }
    if (!strcmp(type, "open")) {
        fake_assisted = json_get_bool(json_get(message, "options"), "gpu_assisted", false);
        fake_log = strdup(json_object_get_string(json_object_array_get_idx(folders, 1)));
        fake_look_at_descriptors();
        fake_start(json_object_get_string(json_object_array_get_idx(folders, 0)));
    } else if (!strcmp(type, "build")) {
        fake_prefill(points);
    } else if (!strcmp(type, "mutant")) {
        fake_mutant(points, json_get_string(message, "mutant", ""));
    } else if (!strcmp(type, "pair")) {
        fake_pair(points);
    } else if (json_object_array_length(points) > 1) {
        fake_group(points);
    } else {
        fake_point(json_object_array_get_idx(points, 0));
    }
}

static int fake_worker(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        struct json_object *message = json_tokener_parse(line);
        fake_obey(message);
        json_object_put(message);
    }
    return 0;
}

#endif
