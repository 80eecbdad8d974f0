// SPDX-License-Identifier: Apache-2.0
// Formats figures for people: three significant digits and a unit, and a dash if nothing was measured. Private to
// harness/readers/render.
#ifndef VKASSAY_RENDER_FORMAT_H
#define VKASSAY_RENDER_FORMAT_H

#include "../../base/text.h"
#include "../../record/figures.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdbool.h>

struct device_info;
struct record;
struct summary;

#define NOT_MEASURED "-"

// Appends the driver's name and, if present, its own description: "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)".
void put_driver(struct text *out, const struct device_info *device);

void put_time(struct text *out, double ns);                         // "12.3 us"
void put_rate(struct text *out, double value, const char *unit);    // "4.12 TB/s"; unit "B/s", "FLOP/s"
void put_share(struct text *out, double share);                     // 0.853: "85%"; below 10 %: "3.2%"
void put_factor(struct text *out, double factor);                   // "1.21x"
void put_interval(struct text *out, const struct summary *summary); // "±0.4%": half the interval of the median
void put_ulp(struct text *out, double ulp);                         // "1.5"; 0 is a measured value here
// Appends error and bound of the element nearest to its bound: "0.4/0.501"; "inf/..." for a mismatch of class.
void put_error_of_bound(struct text *out, const struct record *record);
void put_bytes(struct text *out, double bytes);                  // "128 MiB"
void put_thousands(struct text *out, double count);              // "65.5k"; whole below 1000
void put_peak(struct text *out, double value, const char *unit); // `unit`: "B/s", "FLOP/s", "OP/s" or "ns"

// Appends "256", "16x16" or "16x16 TILE_K=16,TM=4"; trailing axes of 1 are omitted.
void put_shape(struct text *out, const struct record *record);
// Appends the first `plain` dims by value and the others by name: "4096x1025,eps=1e-06". If `plain` exceeds
// PLAIN_DIMS, it uses put_size_words instead.
enum { PLAIN_DIMS = 3 };
void put_dims(struct text *out, const struct record *record, int plain);
// Appends dims by name: "rows=4096 cols=1025". With more than PLAIN_DIMS dims, sizes of 1 are omitted: "cin=8 h=14
// w=14 cout=16".
void put_size_words(struct text *out, const struct record *record);
void put_dims_named(struct text *out, const struct record *record); // "rows=4096,cols=1025"

// Appends `format`. It knows three conversions: %s, a text made safe by `escape`; %zu, a count; and %%.
void put_escaped(
    struct text *out, void (*escape)(struct text *out, const char *string), const char *format, va_list args);

// Replaces control characters by spaces, so that text from a file cannot steer a terminal. A line break is kept and
// followed by `indent` spaces.
void put_plain(struct text *out, const char *string, int indent);
void print_plain(FILE *out, const char *string, int indent);

// Returns the terminal columns of the first `bytes` of a UTF-8 text (base/text.h). An invalid byte counts as one
// column.
int columns_of(const char *text, size_t bytes);

// Print words in lines of at most `width` columns. A longer word is broken after a comma, or overflows if it has
// none. The first line begins with `lead`, the others with `hanging` blanks. Control characters in the words become
// spaces.
void print_wrapped(FILE *out, const char *words, int width);
void print_hanging(FILE *out, const char *lead, const char *words, int hanging, int width);
// Prints the device and its driver after `lead`: "NVIDIA H200, NVIDIA 580.159.04".
void print_device_name(FILE *out, const char *lead, const struct device_info *device, int width);
// Prints `words` as print_hanging does and frees them. Prints nothing if they are empty.
void print_words(FILE *out, const char *lead, struct text *words, int hanging, int width);
void print_cut(FILE *out, const char *line, int width); // prints one line, cut with ".." if too long; no line break

// ---- the systems and their letters in the tables of operators

struct backend_system {
    const char *name, *letters;
};
extern const struct backend_system backend_systems[]; // ends with a NULL name

// Appends the system's letters, or its name if it has none.
void put_system(struct text *out, const char *name, size_t length);
void put_system_legend(struct text *out); // "TL torchless, TS torsh, ..."

// Returns true if the system is listed in an operator's letters, such as "TL TS".
bool system_is_among(const struct backend_system *system, const char *letters);

// ---- Terminal colours for failures, for slower or noisy figures, and for improvements.

// Switches colours on or off for the life of the process; they are off by default. Call it before anything is
// printed. A command decides once, because colours depend on where standard output goes, not on a table.
void colour_use(bool on);

// Return the escape sequences that begin and end the colour of a style.css class: "bad", "noisy" or "good". They
// return "" for NULL, for other classes, and if colours are off.
const char *colour_begin(const char *class);
const char *colour_end(const char *class);

#endif
