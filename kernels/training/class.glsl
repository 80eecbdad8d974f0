// SPDX-License-Identifier: Apache-2.0
// Returns whether a row counts, by its target. The target is an index only if it does.
bool is_counted(int target) {
    return target != ignore_index && uint(target) < cols;
}
