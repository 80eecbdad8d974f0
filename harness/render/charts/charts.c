// SPDX-License-Identifier: Apache-2.0
// The table of charts, their file names, and the drawing of all of them.
#include "chart.h"

#include "../../../reference/table.h"
#include "../../base/file.h"
#include "../../record/result.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- gnuplot

enum { NOT_FOUND = 127 }; // exit status of env(1) if the program does not exist
static const char log_name[] = "gnuplot.log";

// Starts gnuplot through env(1), which finds the program and sets the locale. The user's .gnuplot is ignored.
static int spawn(pid_t *child, const char *folder, const char *script, const char *setting) {
    char *const argv[] = {"env", "LC_ALL=C", "gnuplot", "--default-settings", "-e", (char *)(uintptr_t)setting,
        (char *)(uintptr_t)script, NULL};
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    code = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!code) code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!code) code = posix_spawn_file_actions_addopen(&actions, 2, log_name, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (!code) code = posix_spawn_file_actions_adddup2(&actions, 2, 1);
    if (!code) code = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
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
    struct arena *arena, const char *folder, const char *script, const char *template_folder) {
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
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return arena_format(arena, "gnuplot: %s", strerror(errno));
    const char *why = NULL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        why = "gnuplot is not installed";
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
    drawing->caption = arena_copy(batch->arena, text_str(&plot->caption));
    set_heading(plot);
    if (!file_write(data, text_str(&plot->data), plot->data.length, batch->err)) return false;
    text_format(&batch->script,
        "\nreset\nload templates.'common.gp'\ndata='%s/%s.dat'\nname='%s'\n%sload templates.'%s'\n", data_folder,
        drawing->file, drawing->file, text_str(&plot->settings), plot->template);
    text_append(&batch->script, "load templates.'output.gp'\n");
    return true;
}

// Removes the pictures of an earlier report, so they cannot replace a chart that is not drawn now.
static void remove_old(struct chart_batch *batch, const char *file) {
    static const char *const endings[] = {"svg", "png"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        unlink(arena_format(batch->arena, "%s/%s.%s", batch->folder, file, endings[i]));
}

static const char *file_name(struct chart_batch *batch, const char *name) {
    char *file = arena_copy(batch->arena, name);
    for (char *c = file; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c)) *c = '_';
    return file;
}

static struct drawing *keep_drawing(struct chart_batch *batch, const struct drawing *drawing) {
    struct drawings *out = batch->out;
    out->items = arena_grow(batch->arena, out->items, out->count, &out->capacity, sizeof *out->items);
    struct drawing *kept = &out->items[out->count++];
    *kept = *drawing;
    kept->file = file_name(batch, drawing->file);
    return kept;
}

bool batch_add(struct chart_batch *batch, struct plot *plot, const struct drawing *drawing) {
    struct drawing *added = keep_drawing(batch, drawing);
    remove_old(batch, added->file);
    bool ok = added->missing || write_plot(batch, plot, added);
    text_free(&plot->data);
    text_free(&plot->settings);
    text_free(&plot->caption);
    text_free(&plot->title);
    text_free(&plot->subtitle);
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
    const char *trouble = ok ? gnuplot_run(batch->arena, batch->folder, script_name, template_folder) : NULL;
    if (ok) find_drawn(batch, trouble);
    text_free(&batch->script);
    return ok;
}

// ---- the table

enum scope { EACH_CASE, EACH_KERNEL, EACH_OPERATOR, EACH_FAMILY, ONCE };
enum { SHAPES_TO_MAP = 3 }; // for two shapes, the table suffices
enum { MOST_OF_KIND = 8 };  // on a page: with the kinds below, about 60 charts and 5 MB

static const struct chart {
    const char *name, *title, *template; // in reports/gnuplot/
    enum scope scope;
    const char *(*plot)(struct plot *plot);
} charts[] = {
    {"roofline", "Roofline", "roofline.gp", ONCE, plot_roofline},
    {"peers", "Against others", "peers.gp", EACH_FAMILY, plot_peers},
    {"reference", "Against the scalar reference", "reference.gp", EACH_OPERATOR, plot_reference},
    {"uses", "Uses of one upload", "uses.gp", EACH_OPERATOR, plot_uses},
    {"transfer", "Transfer and compute", "transfer.gp", EACH_OPERATOR, plot_transfer},
    {"ulp", "Errors against the bound", "ulp.gp", EACH_OPERATOR, plot_ulp},
    {"time", "Time against size", "time.gp", EACH_KERNEL, plot_time},
    {"regret", "Regret over size", "regret.gp", EACH_KERNEL, plot_regret},
    {"shapes", "Shapes", "map.gp", EACH_CASE, plot_shapes},
};

// Returns "time-softmax.online", "time-softmax.online-f16" or "shapes-softmax.online-size1".
static const char *chart_file(struct chart_batch *batch, const struct chart *chart, const struct plot *plot) {
    bool again = false; // the name has no dtype for the kernel's first dtype
    for (size_t k = 0; plot->kernel && &plot->op->kernels[k] != plot->kernel; k++)
        again = again || strcmp(plot->op->kernels[k].name, plot->kernel->name) == 0;
    const char *subject = plot->kernel ? plot->kernel->name : plot->op ? plot->op->name : plot->family;
    const char *name = !subject ? arena_copy(batch->arena, chart->name)
                       : again
                           ? arena_format(batch->arena, "%s-%.120s-%.16s", chart->name, subject, plot->kernel->dtype)
                           : arena_format(batch->arena, "%s-%.120s", chart->name, subject);
    if (plot->c) name = arena_format(batch->arena, "%s-size%td", name, plot->c - plot->kernel->cases + 1);
    return name;
}

// A possible subject of a chart. Candidates are in the order of the page.
struct chart_subject {
    const struct view_operator *op;
    const struct view_kernel *kernel;
    const struct view_case *c;
    bool named; // on the page's first screen
};
struct subjects {
    struct chart_subject *items;
    size_t count, capacity;
};

static bool add_chart(
    struct chart_batch *batch, const struct chart *chart, const struct chart_subject *of, size_t place) {
    struct plot plot = {
        .view = batch->view, .op = of->op, .kernel = of->kernel, .c = of->c, .template = chart->template};
    struct drawing drawing = {
        .op = of->op, .kernel = of->kernel, .kind = chart->name, .title = chart->title, .caption = "", .place = place};
    drawing.file = chart_file(batch, chart, &plot);
    drawing.missing = chart->plot(&plot);
    if (!drawing.missing) batch->of_kind++;
    return batch_add(batch, &plot, &drawing);
}

// Removes the picture of an earlier report. Adds one note per operator about undrawn charts of this kind; drawings of
// this kind begin at `first` in the batch.
static void leave_out(
    struct chart_batch *batch, const struct chart *chart, const struct chart_subject *of, size_t place, size_t first) {
    const struct plot plot = {.op = of->op, .kernel = of->kernel, .c = of->c};
    remove_old(batch, file_name(batch, chart_file(batch, chart, &plot)));
    batch->out->left_out++;
    for (size_t i = first; i < batch->out->count; i++)
        if (batch->out->items[i].left_out && batch->out->items[i].op == of->op) return;
    const struct drawing drawing = {.op = of->op,
        .kind = chart->name,
        .title = chart->title,
        .file = chart->name,
        .caption = "",
        .missing = "vkassay report --chart all draws the rest",
        .left_out = true,
        .place = place};
    keep_drawing(batch, &drawing);
}

static int by_place(const void *a, const void *b) {
    const struct drawing *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

// Draws candidates up to the limit of the kind: first the ones named on the first screen, then others in the order of
// the page.
static bool add_candidates(struct chart_batch *batch, const struct chart *chart, const struct subjects *of) {
    const size_t first = batch->out->count;
    bool ok = true;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; ok && i < of->count; i++) {
            if (of->items[i].named != (pass == 0)) continue;
            if (batch->of_kind < batch->most)
                ok = add_chart(batch, chart, &of->items[i], i);
            else
                leave_out(batch, chart, &of->items[i], i, first);
        }
    if (batch->out->count > first)
        qsort(batch->out->items + first, batch->out->count - first, sizeof *batch->out->items, by_place);
    return ok;
}

static bool is_named(const struct standout *list, size_t count, const struct chart_subject *of) {
    for (size_t i = 0; i < count; i++)
        if (of->kernel ? list[i].kernel == of->kernel : list[i].kernel->op == of->op) return true;
    return false;
}

static void add_candidate(struct chart_batch *batch, struct subjects *out, struct chart_subject of) {
    const struct standouts *s = &batch->standouts;
    of.named = is_named(s->far, s->far_count, &of) || is_named(s->near, s->near_count, &of) ||
               is_named(s->gains, s->gain_count, &of);
    out->items = arena_grow(batch->arena, out->items, out->count, &out->capacity, sizeof *out->items);
    out->items[out->count++] = of;
}

// Adds smaller sizes only if they have shapes to map. The largest size is always added, if only for the reason why
// there is no chart.
static void add_cases(struct chart_batch *batch, struct subjects *out, const struct view_kernel *kernel) {
    const struct view_case *largest = largest_case(kernel);
    for (size_t i = 0; i < kernel->count; i++)
        if (&kernel->cases[i] != largest && timed_shapes(&kernel->cases[i]) >= SHAPES_TO_MAP)
            add_candidate(batch, out, (struct chart_subject){kernel->op, kernel, &kernel->cases[i], false});
    add_candidate(batch, out, (struct chart_subject){kernel->op, kernel, NULL, false});
}

// Adds charts only for families with peers, because most results have no other program.
static bool add_families(struct chart_batch *batch, const struct chart *chart) {
    bool ok = true;
    for (size_t i = 0; ok && batch->view->result->peers && operator_families[i]; i++) {
        struct plot plot = {.view = batch->view, .family = operator_families[i], .template = chart->template};
        struct drawing drawing = {.kind = chart->name, .title = chart->title, .caption = ""};
        drawing.file = chart_file(batch, chart, &plot);
        if (!chart->plot(&plot)) ok = batch_add(batch, &plot, &drawing);
    }
    return ok;
}

static bool add_charts(struct chart_batch *batch, const struct chart *chart) {
    struct subjects candidates = {0};
    batch->of_kind = 0;
    if (chart->scope == EACH_FAMILY) return add_families(batch, chart);
    if (chart->scope == ONCE) return add_chart(batch, chart, &(struct chart_subject){0}, 0);
    for (size_t o = 0; o < batch->view->count; o++) {
        const struct view_operator *op = &batch->view->operators[o];
        if (chart->scope == EACH_OPERATOR) add_candidate(batch, &candidates, (struct chart_subject){.op = op});
        for (size_t k = 0; k < op->count && chart->scope <= EACH_KERNEL; k++)
            if (chart->scope == EACH_CASE)
                add_cases(batch, &candidates, &op->kernels[k]);
            else
                add_candidate(batch, &candidates, (struct chart_subject){op, &op->kernels[k], NULL, false});
    }
    return add_candidates(batch, chart, &candidates);
}

bool charts_draw(const struct view *view, enum charts which, const struct card *card, struct arena *arena,
    const char *folder, const char *template_folder, struct drawings *out, struct error *err) {
    struct chart_batch batch = {.view = view, .arena = arena, .folder = folder, .out = out, .err = err};
    batch.most = which == CHARTS_ALL ? SIZE_MAX : MOST_OF_KIND;
    standouts_make(view, &batch.standouts);
    bool ok = batch_open(&batch);
    for (size_t i = 0; ok && i < sizeof charts / sizeof *charts; i++) ok = add_charts(&batch, &charts[i]);
    ok = ok && batch_add_card(&batch, card, "card-report");
    return batch_draw(&batch, template_folder, ok);
}
