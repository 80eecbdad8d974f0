// SPDX-License-Identifier: Apache-2.0
// Gradients of pooling by tiles. A workgroup takes WG_X columns and WG_Y * ROWS rows of ITEMS planes, and looks once at
// each window over them. A window's gradient and the place of the first of its largest taps wait in shared memory until
// the tile's places have gathered them. It takes as many windows at a time as fit. For a mean (MEAN defined) each tap
// gets its share.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#define BATCH uint n;
#include "pool.glsl"
#include "windows.glsl"

layout(constant_id = 4) const uint ROWS = 4;

#ifdef MEAN
layout(binding = 0) readonly buffer Dy { T dy[]; };
layout(binding = 1) writeonly buffer Dx { T dx[]; };
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Dy { T dy[]; };
layout(binding = 2) writeonly buffer Dx { T dx[]; };
#endif

const uint ROOM = WG_SIZE + WG_SIZE / 2, TILE_ROWS = WG_Y * ROWS;
shared uvec2 over_column[WG_X], over_row[TILE_ROWS]; // windows [x, y)
shared float gradients[ITEMS * ROOM];
#ifndef MEAN
shared uint largest[ITEMS * ROOM];
#endif

uint plane[ITEMS];
float sums[ROWS * ITEMS];

// Finds windows once per row and column of the tile, because divisions take most of such a kernel's time.
void find_windows(uint top, uint left) {
    for (uint i = gl_LocalInvocationIndex; i < WG_X; i += WG_SIZE)
        over_column[i] = windows_over(min(left + i, w - 1) + pad, kw, ow);
    for (uint i = gl_LocalInvocationIndex; i < TILE_ROWS; i += WG_SIZE)
        over_row[i] = windows_over(min(top + i, h - 1) + PAD_Y, kh, oh);
}

void look_at(uint oy, uint ox, uint slot) {
    const uint top = oy * stride - PAD_Y, left = ox * stride - pad;
    float gradient[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        gradient[item] = LOAD(dy[(plane[item] * oh + oy) * ow + ox]);
#ifdef MEAN
    const float share = 1.0 / divisor(int(top), int(left));
    [[unroll]] for (uint item = 0; item < ITEMS; item++) gradient[item] *= share;
#else
    float best[ITEMS];
    uint where[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        best[item] = NEGATIVE_INFINITY;
        where[item] = ~0u;
    }
    for (uint ky = 0; ky < kh; ky++) {
        const uint row = top + ky * dilation;
        if (row >= h) continue;
        for (uint kx = 0; kx < kw; kx++) {
            const uint col = left + kx * dilation, at = row * w + col;
            if (col >= w) continue;
            [[unroll]] for (uint item = 0; item < ITEMS; item++) {
                const float value = LOAD(x[plane[item] * h * w + at]);
                const bool taken = value > best[item] || (value == best[item] && where[item] == ~0u);
                where[item] = taken ? at : where[item]; // takes the first -inf, too
                best[item] = taken ? value : best[item];
            }
        }
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++) largest[item * ROOM + slot] = where[item];
#endif
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        gradients[item * ROOM + slot] = gradient[item];
}

float given(uint at, uint place) {
#ifdef MEAN
    return gradients[at];
#else
    return largest[at] == place ? gradients[at] : 0.0;
#endif
}

// Adds the parts of a place from its windows. Slot 0 holds window number `start` of the tile. Window 0 is at `origin`,
// and a line has `columns` windows.
void gather(uint row, uint place, uint start, uvec2 origin, uint columns) {
    const uvec2 down = over_row[row * WG_Y + gl_LocalInvocationID.y];
    const uvec2 across = over_column[gl_LocalInvocationID.x];
    [[dont_unroll]] for (uint oy = down.x; oy < down.y; oy++) {
        uint slot = (oy - origin.y) * columns + across.x - origin.x - start;
        [[dont_unroll]] for (uint ox = across.x; ox < across.y; ox++, slot++) {
            if (slot >= ROOM) continue;
            [[unroll]] for (uint item = 0; item < ITEMS; item++)
                sums[row * ITEMS + item] += given(item * ROOM + slot, place);
        }
    }
}

void take_tile(uint first, uint top, uint left) {
    [[unroll]] for (uint item = 0; item < ITEMS; item++) plane[item] = min(first + item, n * c - 1);
    [[unroll]] for (uint i = 0; i < ROWS * ITEMS; i++) sums[i] = 0.0;
    find_windows(top, left);
    barrier();
    const uint line = top + gl_LocalInvocationID.y, col = left + gl_LocalInvocationID.x;
    const uvec2 origin = uvec2(over_column[0].x, over_row[0].x);
    const uvec2 size = uvec2(over_column[WG_X - 1].y, over_row[TILE_ROWS - 1].y) - origin;
    const uint windows = size.x * size.y;
    [[dont_unroll]] for (uint start = 0; start < windows; start += ROOM) {
        const uint here = min(windows - start, ROOM);
        [[dont_unroll]] for (uint slot = gl_LocalInvocationIndex; slot < here; slot += WG_SIZE)
            look_at(origin.y + (start + slot) / size.x, origin.x + (start + slot) % size.x, slot);
        barrier();
        [[unroll]] for (uint row = 0; row < ROWS; row++)
            gather(row, (line + row * WG_Y) * w + col, start, origin, size.x);
        barrier();
    }
    if (col >= w) return;
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        if (first + item >= n * c) return;
        [[unroll]] for (uint row = 0; row < ROWS; row++)
            if (line + row * WG_Y < h)
                dx[(plane[item] * h + line + row * WG_Y) * w + col] = STORE(sums[row * ITEMS + item]);
    }
}

// Workgroups take tiles until none is left, because there may be more tiles than the grid counts: they can reach beyond
// the edge.
void main() {
    const uint across = (w + WG_X - 1) / WG_X, down = (h + TILE_ROWS - 1) / TILE_ROWS;
    const uint tiles = (n * c + ITEMS - 1) / ITEMS * down * across;
    const uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;
    [[dont_unroll]] for (uint at = linear_group(); at < tiles; at += groups) {
        const uint strip = at / across;
        take_tile(strip / down * ITEMS, strip % down * TILE_ROWS, at % across * WG_X);
        barrier(); // before the next tile's windows are written
    }
}
