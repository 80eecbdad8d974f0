// SPDX-License-Identifier: Apache-2.0
// Returns the windows [x, y) of a pooling (pool.glsl) over a place. `behind` is the distance of the place from the
// beginning of the first window.
uvec2 windows_over(uint behind, uint taps, uint outputs) {
    const uint reach = (taps - 1) * dilation, end = min(behind / stride + 1, outputs);
    const uint first = behind > reach ? (behind - reach - 1) / stride + 1 : 0;
    return uvec2(min(first, end), end);
}
