// SPDX-License-Identifier: Apache-2.0
// Maximum and sum of exponentials in one walk: the sum is rescaled whenever the maximum rises.
float online_most = LEAST, online_sum = 0.0;

void online_add(float value) {
    if (value > online_most) {
        online_sum *= exp(online_most - value);
        online_most = value;
    }
    online_sum += exp(value - online_most);
}

// Returns the sum relative to another maximum, no smaller than this one.
float online_sum_at(float most) {
    return online_sum * exp(online_most - most);
}
