// SPDX-License-Identifier: Apache-2.0
#include "json_scan.h"

#include "cores.h"
#include "memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING = 64 }; // most items not yet taken

// An item on its way. Its memory for bytes serves later items, too.
struct waiting {
    struct json_met item;
    char *bytes;
    size_t room;
};

struct json_taker {
    const struct json_list *list;
    struct waiting ring[WAITING];
    size_t put, taken; // items so far
    bool closed, failed;
    struct error err;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
};

// Waits for an item. Returns NULL if there will be no more.
static struct waiting *next_item(struct json_taker *t) {
    pthread_mutex_lock(&t->lock);
    while (t->put == t->taken && !t->closed) pthread_cond_wait(&t->changed, &t->lock);
    struct waiting *next = t->put > t->taken ? &t->ring[t->taken % WAITING] : NULL;
    pthread_mutex_unlock(&t->lock);
    return next;
}

static void *take_all(void *argument) {
    struct json_taker *t = argument;
    bool ok = true;
    for (struct waiting *next; (next = next_item(t));) {
        ok = ok && t->list->take(t->list->user, &next->item, &t->err);
        json_object_put(next->item.at.value);
        pthread_mutex_lock(&t->lock);
        t->failed = !ok;
        t->taken++;
        pthread_cond_signal(&t->changed);
        pthread_mutex_unlock(&t->lock);
    }
    return NULL;
}

struct json_taker *json_taker_start(const struct json_list *list) {
    if (cores_usable() < 2) return NULL;
    struct json_taker *t = memory_alloc(1, sizeof *t);
    t->list = list;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    if (pthread_create(&t->thread, cores_helper(), take_all, t) == 0) return t;
    free(t);
    return NULL;
}

// Waits for a free place. Returns NULL if the reading has ended.
static struct waiting *free_place(struct json_taker *t) {
    pthread_mutex_lock(&t->lock);
    while (t->put - t->taken == WAITING) pthread_cond_wait(&t->changed, &t->lock);
    struct waiting *place = t->failed ? NULL : &t->ring[t->put % WAITING];
    pthread_mutex_unlock(&t->lock);
    return place;
}

bool json_taker_put(struct json_taker *t, const struct json_met *item) {
    struct waiting *place = free_place(t);
    if (!place) {
        json_object_put(item->at.value);
        return false;
    }
    if (place->room < item->length) {
        place->room = item->length * 2;
        place->bytes = memory_resize(place->bytes, place->room, 1);
    }
    memcpy(place->bytes, item->bytes, item->length);
    place->item = *item;
    place->item.bytes = place->bytes;
    pthread_mutex_lock(&t->lock);
    t->put++;
    pthread_cond_signal(&t->changed);
    pthread_mutex_unlock(&t->lock);
    return true;
}

bool json_taker_end(struct json_taker *t, struct error *err) {
    if (!t) return true;
    pthread_mutex_lock(&t->lock);
    t->closed = true;
    pthread_cond_signal(&t->changed);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    const bool ok = !t->failed;
    if (!ok) *err = t->err;
    for (size_t i = 0; i < WAITING; i++) free(t->ring[i].bytes);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->changed);
    free(t);
    return ok;
}
