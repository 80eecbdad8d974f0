// SPDX-License-Identifier: Apache-2.0
// Which windows of a pooling (pool.glsl) reach over a place: [x, y), where the place is so far
// behind the beginning of the first one.
uvec2 windows_over(uint behind, uint taps, uint outputs) {
    const uint reach = (taps - 1) * dilation, end = min(behind / stride + 1, outputs);
    const uint first = behind > reach ? (behind - reach - 1) / stride + 1 : 0;
    return uvec2(min(first, end), end);
}
