// SPDX-License-Identifier: Apache-2.0
// Draws charts by one run of gnuplot.
#include "chart.h"

#include "../../base/clock.h"
#include "../../base/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- gnuplot

enum { NOT_FOUND = 127 }; // exit status of env(1) if the program does not exist
enum { GNUPLOT_SECONDS = 120 };
static const char log_name[] = "gnuplot.log";

// Starts gnuplot through env(1), which finds the program and sets the locale. The user's .gnuplot is ignored.
static int spawn(pid_t *child, const char *folder, const char *script, const char *setting) {
    char *const argv[] = {"env", "LC_ALL=C", "gnuplot", "--default-settings", "-e", (char *)(uintptr_t)setting,
        (char *)(uintptr_t)script, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t group;
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    if ((code = posix_spawnattr_init(&group))) return posix_spawn_file_actions_destroy(&actions), code;
    code = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!code) code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!code) code = posix_spawn_file_actions_addopen(&actions, 2, log_name, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (!code) code = posix_spawn_file_actions_adddup2(&actions, 2, 1);
    if (!code) code = posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    if (!code) code = posix_spawnp(child, argv[0], &actions, &group, argv, environ);
    posix_spawnattr_destroy(&group);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

// Waits for the end of gnuplot. Ends it, with all that it started, after so many seconds.
static bool wait_for_end(pid_t child, double seconds, int *status) {
    const int64_t until = clock_ns() + (int64_t)(seconds * 1e9);
    pid_t ended;
    while ((ended = waitpid(child, status, WNOHANG)) == 0 && clock_ns() < until)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    if (ended != 0) return ended == child;
    kill(-child, SIGKILL);
    return waitpid(child, status, 0) == child;
}

// Returns the first line of the log that is neither blank nor a pointer to a column.
static const char *first_words(struct arena *arena, const char *log) {
    struct error ignored;
    char *text = file_read(arena, log, NULL, &ignored);
    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n"))
        if (line[strspn(line, " \t^")]) return line;
    return "no message";
}

// Runs `script`, a file in `folder`, in the C locale. The variable `templates` is the absolute path of
// `template_folder`. Returns NULL on success. Otherwise it returns the reason, in the arena: gnuplot is missing, or
// its first message.
static const char *gnuplot_run(
    struct arena *arena, const char *folder, const char *script, const char *template_folder, double seconds) {
    char *templates = realpath(template_folder, NULL);
    if (!templates) return arena_format(arena, "%s: %s", template_folder, strerror(errno));
    const char *setting = strchr(templates, '\'') ? NULL : arena_format(arena, "templates='%s/'", templates);
    const char *log = arena_format(arena, "%s/%s", folder, log_name);
    free(templates);
    if (!setting || !log) return arena_format(arena, "%s: a path with a quote", template_folder);
    unlink(log); // of an earlier run, or a link that leads elsewhere
    pid_t child;
    int status, code = spawn(&child, folder, script, setting);
    if (code) return arena_format(arena, "gnuplot could not be started: %s", strerror(code));
    if (!wait_for_end(child, seconds, &status)) return arena_format(arena, "gnuplot: %s", strerror(errno));
    const char *why = NULL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        why = "gnuplot is not installed";
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        why = arena_format(arena, "gnuplot was killed, or did not end within %g s", seconds);
    else if (WIFSIGNALED(status))
        why = arena_format(arena, "gnuplot was ended by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status))
        why = arena_format(arena, "gnuplot: %s", first_words(arena, log));
    if (!why || WEXITSTATUS(status) == NOT_FOUND) unlink(log);
    return why;
}

// ---- a batch

static const char script_name[] = "charts.gp", data_folder[] = "data";

bool batch_open(struct chart_batch *batch) {
    const char *data = arena_format(batch->arena, "%s/%s", batch->folder, data_folder);
    *batch->out = (struct drawings){0};
    text_append(&batch->script, "# Draws the charts of this folder again: gnuplot -e "
                                "\"templates='reports/gnuplot/'\" charts.gp\n");
    unlink(data); // removes a link that leads elsewhere; a folder stays
    return file_make_folder(data, batch->err);
}

// Writes the data file, and appends the script lines that draw the chart in each format.
static bool write_plot(struct chart_batch *batch, struct plot *plot, struct drawing *drawing) {
    const char *data = arena_format(batch->arena, "%s/%s/%s.dat", batch->folder, data_folder, drawing->file);
    set_heading(plot);
    drawing->caption = arena_copy(batch->arena, text_str(&plot->caption));
    if (!file_write(data, text_str(&plot->data), plot->data.length, batch->err)) return false;
    text_format(&batch->script,
        "\nreset\nload templates.'common.gp'\ndata='%s/%s.dat'\nname='%s'\n%sload templates.'%s'\n", data_folder,
        drawing->file, drawing->file, text_str(&plot->settings), plot->template);
    text_append(&batch->script, "load templates.'output.gp'\n");
    return true;
}

static const char *file_name(struct chart_batch *batch, const char *name) {
    char *file = arena_copy(batch->arena, name);
    for (char *c = file; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c)) *c = '_';
    return file;
}

void batch_forget(struct chart_batch *batch, const char *name) {
    static const char *const endings[] = {"svg", "png"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        unlink(arena_format(batch->arena, "%s/%s.%s", batch->folder, file_name(batch, name), endings[i]));
}

struct drawing *batch_note(struct chart_batch *batch, const struct drawing *drawing) {
    struct drawings *out = batch->out;
    out->items = arena_grow(batch->arena, out->items, out->count, &out->capacity, sizeof *out->items);
    struct drawing *kept = &out->items[out->count++];
    *kept = *drawing;
    kept->file = file_name(batch, drawing->file);
    return kept;
}

bool batch_add(struct chart_batch *batch, struct plot *plot, const struct drawing *drawing) {
    struct drawing *added = batch_note(batch, drawing);
    batch_forget(batch, added->file);
    bool ok = added->missing || write_plot(batch, plot, added);
    text_free(&plot->data);
    text_free(&plot->settings);
    text_free(&plot->caption);
    text_free(&plot->title);
    return ok;
}

// Counts the drawn charts. For the others, gnuplot's message is the reason.
static void find_drawn(struct chart_batch *batch, const char *trouble) {
    for (size_t i = 0; i < batch->out->count; i++) {
        struct drawing *drawing = &batch->out->items[i];
        if (drawing->missing) continue;
        struct stat file;
        const char *path = arena_format(batch->arena, "%s/%s.svg", batch->folder, drawing->file);
        if (stat(path, &file) == 0 && file.st_size > 0)
            batch->out->drawn += !drawing->apart;
        else
            drawing->missing = trouble ? trouble : "gnuplot left it out";
    }
}

bool batch_draw(struct chart_batch *batch, const char *template_folder, bool ok) {
    const char *path = arena_format(batch->arena, "%s/%s", batch->folder, script_name);
    ok = ok && file_write(path, text_str(&batch->script), batch->script.length, batch->err);
    const char *trouble = ok ? gnuplot_run(batch->arena, batch->folder, script_name, template_folder,
                                   batch->seconds > 0 ? batch->seconds : GNUPLOT_SECONDS)
                             : NULL;
    if (ok) find_drawn(batch, trouble);
    text_free(&batch->script);
    return ok;
}
