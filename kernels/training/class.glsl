// SPDX-License-Identifier: Apache-2.0
// Whether a row counts by its target, which is an index only if it does.
bool is_counted(int target) {
    return target != ignore_index && uint(target) < cols;
}
