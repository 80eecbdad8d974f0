// SPDX-License-Identifier: Apache-2.0
// Shows results to people: terminal tables, charts, HTML pages. All files are written before anything is printed. The
// caller checks its output stream for errors.
#ifndef VKASSAY_RENDER_RENDER_H
#define VKASSAY_RENDER_RENDER_H

#include "../../shader/manifest/kernel.h"
#include "../../record/result_set.h"
#include "../../base/error.h"

#include <stdio.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

struct claims; // ../claims/claims.h

// Prints the report of a run. Each operator has a table with a row per case. It shows dims, best shape, system shape
// with its loss, time with interval, rate, share of peak, share of transfer, and error against bound. Skips by
// reason, failures with replay lines and a summary follow. `width` is the terminal's columns; 0: 80.
void render_tables(const struct result *result, FILE *out, int width);

// Prints the same for few cases. If the cases need more than two screens, one line per family replaces the tables.
void render_brief(const struct result *result, FILE *out, int width);

// Prints the device's peaks on one screen: the best point of each with its interval, or why there is none. It adds
// the device's matrix types without a measurement. `width` as above.
void render_peaks(const struct result *result, FILE *out, int width);

// Prints the pipelines of results of `check --tier compile`. One device: all figures of pipelines that spill registers.
// Several: a table of spills by device. `out` receives at most `most` rows, those
// with most spills first; 0: all. A sentence for each device follows. Returns the number of pipelines that did not
// compile.
size_t render_compiled(const struct result *results, size_t count, size_t most, FILE *out, int width);
// Write the table of all pipelines: as markdown to `path`, and as compiled.html into `folder`. Of several results of a
// device the last counts; the one before it gives the change.
bool render_compiled_markdown(const struct result *results, size_t count, const char *path, struct error *err);
// `code` is a folder of disassembly, as seen from `folder`: kernels of a page of one device link to its files. NULL:
// none.
bool render_compiled_page(const struct result *results, size_t count, const char *code, const char *folder,
    const char *template_folder, struct error *err);

// Prints the failures as the report lists them: outcome against expectations, reason and replay line. Returns the
// number of bad ones; the run failed if there are any. Expected failures are only listed.
size_t render_failures(const struct result *result, FILE *out);

// The charts of a report: a few of each kind, kernels named on the first screen first; or all.
enum charts { CHARTS_PAGE, CHARTS_ALL };

// Writes charts (SVG and PNG, by gnuplot) and report.html into `folder`. `template_folder` is reports/, with gnuplot
// and HTML templates. Without gnuplot the page has no charts and says so. *charts receives the number of drawn
// charts.
bool render_report(const struct result *result, enum charts which, const char *folder, const char *template_folder,
    size_t *charts, struct error *err);

// Writes exhaustive.md into `folder`: checks over every input, one line per record. Without such records there is no
// file, and *written is false.
bool render_exhaustive(const struct result *result, const char *folder, bool *written, struct error *err);

struct history_rules {
    enum device_projection projection; // DEVICE_UNIT, or DEVICE_MODEL for one history of all devices of a model
    double effect;                 // a change of level differs by so much (0.03), and by more than the point's noise
    const struct profile *profile; // results are held to it; NULL: none
};

// Writes history.html with its charts for each device of the results: each point's median and interval from run to
// run, and changes of its level. Changes are also printed to `out`, unless it is NULL. `folder` is of the only device;
// otherwise of each by its name and its unit, if others have its name. NULL: under reports/out.
bool render_histories(struct result_files *files, const struct history_rules *rules, const char *folder,
    const char *template_folder, FILE *out, struct error *err);

// A result's place in a gallery. The gallery joins the results of each device into a card: bars by family, best shapes
// with their cost elsewhere, links to pages.
struct gallery_item {
    const char *path; // as shown in the gallery
    const char *page; // the link target for the result's page; NULL: no page
};
// Returns an item for each result, without links. The paths lose the folders that all of them share.
struct gallery_item *gallery_items(struct arena *arena, const struct result_set *set);
// Writes NAME.html into `folder`; devices are one if they are the same under the projection. Prints the counts and the
// slowdown of each device's best shapes on the others to `out`, unless it is NULL.
bool render_gallery(const struct result_set *set, const struct gallery_item *items, enum device_projection projection,
    const char *name, const char *folder, const char *template_folder, FILE *out, struct error *err);

// Writes claims.html with its charts and claims.md into `folder`. The claims are also printed to `out`, unless it is
// NULL. The number of drawn charts goes to *charts.
bool render_claims(const struct claims *claims, const struct result *result, const char *folder,
    const char *template_folder, FILE *out, size_t *charts, struct error *err);

// Show a result of reports/schema/mutants.schema.json. The first prints survivors and tables to `out`. The second
// writes mutants.md into `folder`; the third writes mutants.html with the kernels' sources.
void render_mutants(struct json_object *result, FILE *out, int width);
bool render_mutants_markdown(struct json_object *result, const char *folder, struct error *err);
bool render_mutants_page(
    struct json_object *result, const char *folder, const char *template_folder, struct error *err);

// Prints coverage as markdown: operators and types by family, with their kernels and outcomes on each device. Kernels
// without a pass follow, then the number of operators that hold on each device, for each system.
void render_coverage(const struct kernels *kernels, const struct result *results, size_t count, FILE *out);

#endif
