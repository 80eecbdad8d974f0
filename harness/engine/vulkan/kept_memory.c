// SPDX-License-Identifier: Apache-2.0
// Keeps memory of small destroyed buffers for later buffers of the same size. A driver takes about a millisecond for
// each allocation, and processes on one device wait for each other's allocations.
#include "internal.h"

void memory_piece_free(struct gpu *gpu, const struct memory_piece *piece) {
    vkFreeMemory(gpu->device, piece->memory, NULL);
    gpu->heap_used[gpu->memory.memoryTypes[piece->type].heapIndex] -= piece->bytes;
}

static const uint64_t least = 64 << 10, most = 4 << 20, most_kept = 64 << 20; // in bytes: of a piece, and of all

uint64_t kept_memory_bytes(uint64_t bytes) {
    uint64_t piece = least;
    while (piece < bytes) piece *= 2;
    return bytes <= most ? piece : 0;
}

bool kept_memory_take(struct gpu *gpu, struct memory_piece *piece) {
    struct kept_memory *kept = &gpu->kept;
    for (int i = kept->count - 1; i >= 0; i--) {
        const struct memory_piece *other = &kept->pieces[i];
        if (other->bytes != piece->bytes || other->type != piece->type || other->mapped != piece->mapped) continue;
        *piece = kept->pieces[i];
        kept->pieces[i] = kept->pieces[--kept->count];
        kept->bytes -= piece->bytes;
        return true;
    }
    return false;
}

bool kept_memory_give(struct gpu *gpu, const struct memory_piece *piece) {
    struct kept_memory *kept = &gpu->kept;
    if (kept->count == KEPT_PIECES || kept->bytes + piece->bytes > most_kept) return false;
    kept->pieces[kept->count++] = *piece;
    kept->bytes += piece->bytes;
    return true;
}

void kept_memory_release(struct gpu *gpu) {
    struct kept_memory *kept = &gpu->kept;
    for (; kept->count; kept->count--) memory_piece_free(gpu, &kept->pieces[kept->count - 1]);
    kept->bytes = 0;
}
