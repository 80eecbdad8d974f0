// SPDX-License-Identifier: Apache-2.0
// What a person sees of a result: terminal tables, charts, one HTML page. Files are written before anything is
// printed, and what becomes of that is for whoever gave the stream to see.
#ifndef VKASSAY_RENDER_RENDER_H
#define VKASSAY_RENDER_RENDER_H

#include "../manifest/kernel.h"
#include "../record/result.h"
#include "../record/store.h"

#include <stdio.h>

struct claims; // ../claims/claims.h

// A table per kernel: dims, best shape, seed shape and what it loses, time and interval, rate,
// share of peak, transfer share, error against bound; then failures with their replay lines, skips
// by reason, and one summary line. `width`: columns of the terminal, 0: 80.
void render_tables(const struct result *result, FILE *out, int width);

// The same of more cases than two screens hold, with a line for each family of operators in the place of the tables.
void render_brief(const struct result *result, FILE *out, int width);

// What the device can do at most, on one screen: the best point of each peak with its interval, or why there is none;
// and the matrices that it lists beside those that were measured. `width` as above.
void render_peaks(const struct result *result, FILE *out, int width);

// Points that are not right, as those tables list them: with how they stand to what was expected, their reasons and
// replay lines. How many are bad, so that the run has failed; those that fail as expected are listed alone.
size_t render_failures(const struct result *result, FILE *out);

// Which charts a report draws: a few of each kind, first those of kernels that its first screen names; or all.
enum charts { CHARTS_PAGE, CHARTS_ALL };

// Charts (SVG and PNG by gnuplot) and report.html into `folder`. `template_folder` is reports/
// (gnuplot and html templates). Without gnuplot the page is made without charts and says so;
// *charts receives how many were drawn.
bool render_report(const struct result *result, enum charts which, const char *folder, const char *template_folder,
    size_t *charts, struct error *err);

// Sweeps over every input, as markdown: exhaustive.md in `folder`, a line for each record of one;
// no file without any. *written tells.
bool render_exhaustive(const struct result *result, const char *folder, bool *written, struct error *err);

// The history of several results of one device, in any order: history.html with its charts in `folder`, each point's
// median and interval from run to run, and where its level changes by `effect` (0.03) or more. What changed is printed
// to `out` too, unless that is NULL.
bool render_history(const struct result *results, const char *const *paths, size_t count, double effect,
    const char *folder, const char *template_folder, FILE *out, size_t *charts, struct error *err);

// The same of one device's runs in a store.
bool render_history_of_series(const struct store_series *series, double effect, const char *folder,
    const char *template_folder, FILE *out, size_t *charts, struct error *err);

// Results of several devices: devices.html in `folder`, what the best shapes of each cost on the others. The matrix is
// printed to `out` too, unless that is NULL.
bool render_across(const struct result *results, const char *const *paths, size_t count, const char *folder,
    const char *template_folder, FILE *out, struct error *err);

// Results of any devices: gallery.html in `folder`, a card for each device with all of its results together: bars by
// family, best shapes and what they cost elsewhere, links to pages. In one line to `out` too, unless that is NULL.
struct gallery_item {
    const struct result *result;
    const char *path; // as the gallery shows it
    const char *page; // of the result, as the gallery links to it; NULL: there is none
};
bool render_gallery(const struct gallery_item *items, size_t count, const char *folder, const char *template_folder,
    FILE *out, struct error *err);

// Claims held against a result: claims.html with its charts and claims.md in `folder`, and all of it to `out`, unless
// that is NULL. *charts receives how many were drawn.
bool render_claims(const struct claims *claims, const struct result *result, const char *folder,
    const char *template_folder, FILE *out, size_t *charts, struct error *err);

// Mutants of kernels, of a result of reports/schema/mutants.schema.json: what survived and tables, to `out`; the same
// as mutants.md, and mutants.html with the kernels' sources, into `folder`.
void render_mutants(struct json_object *result, FILE *out, int width);
bool render_mutants_markdown(struct json_object *result, const char *folder, struct error *err);
bool render_mutants_page(
    struct json_object *result, const char *folder, const char *template_folder, struct error *err);

// Markdown: each operator and type with its kernels and what came of its points on each device, by family; kernels that
// passed nowhere; then each seed system with how many of its operators hold on each device.
void render_coverage(const struct kernels *kernels, const struct result *results, size_t count, FILE *out);

#endif
