// SPDX-License-Identifier: Apache-2.0
// Decides the claims of a suite by a result, and shows them.
#include "bench.h"

#include "../../base/json.h"
#include "../../readers/claims/claims.h"
#include "../../record/journal.h"
#include "../../record/result.h"

#include <stdio.h>

bool suite_has_claims(const char *suite_file) {
    struct error ignored;
    struct json_object *suite = json_read(suite_file, &ignored);
    const bool found = json_get(suite, "claims") != NULL;
    json_object_put(suite);
    return found;
}

bool present_claims(struct arena *arena, const char *suite_file, const char *result_path, const char *folder,
    const char *home, bool quiet, enum status *status, struct error *err) {
    struct claims claims;
    struct result result;
    size_t charts = 0;
    if (!claims_load(arena, suite_file, &claims, err) || !result_read(result_path, &result, err)) return false;
    const char *templates = arena_format(arena, "%s/reports", home);
    const bool ok = render_claims(&claims, &result, folder, templates, quiet ? NULL : stdout, &charts, err);
    const size_t wrong = ok ? render_failures(&result, stdout) : 0;
    const bool whole = !whole_words(arena, json_get(result.context, "run"));
    result_free(&result);
    if (!ok) return false;
    printf("Claims  %s/claims.html (%zu chart%s beside it), claims.md\n", folder, charts, charts == 1 ? "" : "s");
    *status = status_join(*status, wrong ? STATUS_WRONG : whole ? STATUS_OK : STATUS_PARTIAL);
    return true;
}
