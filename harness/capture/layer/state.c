// SPDX-License-Identifier: Apache-2.0
#include "state.h"

#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void state_lock(void) {
    pthread_mutex_lock(&lock);
}

void state_unlock(void) {
    pthread_mutex_unlock(&lock);
}

void state_wait(pthread_cond_t *changed) {
    pthread_cond_wait(changed, &lock);
}

// Devices are found without the lock, so they stay in this list; a new device takes the place of a destroyed one.
static _Atomic(struct vk_device *) devices;

struct vk_device *device_of(const void *handle) {
    void *const key = *(void *const *)handle;
    struct vk_device *device = atomic_load(&devices);
    while (device && atomic_load(&device->key) != key) device = device->next;
    return device;
}

struct vk_device *device_new(void *key) {
    state_lock();
    struct vk_device *device = atomic_load(&devices);
    while (device && atomic_load(&device->key)) device = device->next;
    if (device) {
        struct vk_device *next = device->next;
        *device = (struct vk_device){.next = next};
    } else if ((device = calloc(1, sizeof *device))) {
        device->next = atomic_load(&devices);
        atomic_store(&devices, device);
    }
    if (device) {
        device->pending_end = &device->pending;
        pthread_cond_init(&device->changed, NULL);
        atomic_store(&device->key, key);
    }
    state_unlock();
    return device;
}

void devices_each(void (*each)(struct vk_device *device, void *user), void *user) {
    for (struct vk_device *device = atomic_load(&devices); device; device = device->next)
        if (atomic_load(&device->key)) each(device, user);
}

void state_put(struct map *map, const void *handle, void *object, void (*release)(void *object)) {
    state_lock();
    release(map_take(map, key_of(handle)));
    if (object && !map_put(map, key_of(handle), object)) release(object);
    state_unlock();
}

void state_drop(struct map *map, const void *handle, void (*release)(void *object)) {
    state_lock();
    release(map_take(map, key_of(handle)));
    state_unlock();
}

const void *in_chain(const void *chain, VkStructureType type) {
    const VkBaseInStructure *at = chain;
    while (at && at->sType != type) at = at->pNext;
    return at;
}

struct vk_pool *pool_of(struct map *pools, uint64_t handle) {
    struct vk_pool *pool = map_get(pools, handle);
    if (pool || !(pool = calloc(1, sizeof *pool))) return pool;
    if (map_put(pools, handle, pool)) return pool;
    free(pool);
    return NULL;
}

static bool add_member(struct vk_pool *pool, uint64_t member, size_t *place) {
    if (pool->count == pool->room) {
        const size_t room = pool->room ? pool->room * 2 : 16;
        uint64_t *members = realloc(pool->members, room * sizeof *members);
        if (!members) return false;
        pool->members = members;
        pool->room = room;
    }
    *place = pool->count;
    pool->members[pool->count++] = member;
    return true;
}

// Returns the member moved to the place; 0: none.
static uint64_t remove_member(struct vk_pool *pool, size_t place) {
    const uint64_t last = pool->members[--pool->count];
    if (place == pool->count) return 0;
    pool->members[place] = last;
    return last;
}

void pool_drop(struct pooling of, uint64_t handle) {
    struct pooled *gone = map_take(of.members, handle);
    struct vk_pool *pool = gone ? map_get(of.pools, gone->pool) : NULL;
    struct pooled *moved = pool ? map_get(of.members, remove_member(pool, gone->place)) : NULL;
    if (moved) moved->place = gone->place;
    of.release(gone);
}

void pool_put(struct pooling of, uint64_t pool_handle, uint64_t handle, struct pooled *member) {
    struct vk_pool *pool = pool_of(of.pools, pool_handle);
    pool_drop(of, handle);
    member->pool = pool_handle;
    if (pool && add_member(pool, handle, &member->place)) {
        if (map_put(of.members, handle, member)) return;
        remove_member(pool, member->place);
    }
    of.release(member);
}

void pool_empty(struct pooling of, uint64_t handle) {
    struct vk_pool *pool = map_get(of.pools, handle);
    for (size_t i = 0; pool && i < pool->count; i++) of.release(map_take(of.members, pool->members[i]));
    if (pool) pool->count = 0;
}

void pool_destroy(struct pooling of, uint64_t handle) {
    pool_empty(of, handle);
    pool_release(map_take(of.pools, handle));
}

void pool_release(void *value) {
    struct vk_pool *pool = value;
    if (pool) free(pool->members);
    free(pool);
}
