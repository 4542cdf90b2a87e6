/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of the program's objects, by their handles. Drivers use handles again, so what is
 * made replaces what had its handle before. Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

#include <stdlib.h>

#define FIRST_ROOM 256u

static Object *objects;
static size_t room;  /* a power of two */
static size_t count; /* of those with a key, also forgotten ones */

static const char gone; /* key of a place that was forgotten */

static size_t place_of(ObjectKind kind, uintptr_t key, size_t size)
{
    const uint64_t mixed = (key ^ ((uint64_t) kind << 56)) * UINT64_C(0x9e3779b97f4a7c15);

    return (size_t) (mixed >> 20) & (size - 1);
}

/* Where an object is, or else the first place that is free for it. */
static Object *find_place(Object *list, size_t size, ObjectKind kind, uintptr_t key)
{
    Object *reusable = NULL;

    for (size_t i = place_of(kind, key, size);; i = (i + 1) & (size - 1)) {
        Object *object = &list[i];

        if (object->key == 0) {
            return reusable != NULL ? reusable : object;
        }
        if (object->key == key && object->kind == kind) {
            return object;
        }
        if (object->key == (uintptr_t) &gone && reusable == NULL) {
            reusable = object;
        }
    }
}

static bool grow(void)
{
    size_t size = room == 0 ? FIRST_ROOM : room, live = 0;
    Object *list;

    for (size_t i = 0; i < room; i++) {
        live += objects[i].key != 0 && objects[i].key != (uintptr_t) &gone;
    }
    while (live * 4 >= size) {
        size *= 2;
    }
    list = calloc(size, sizeof *list);
    if (list == NULL) {
        return false;
    }
    for (size_t i = 0; i < room; i++) {
        if (objects[i].key != 0 && objects[i].key != (uintptr_t) &gone) {
            *find_place(list, size, objects[i].kind, objects[i].key) = objects[i];
        }
    }
    free(objects);
    objects = list;
    room = size;
    count = live;
    return true;
}

Object *ObjectFind(ObjectKind kind, const void *handle)
{
    Object *object =
        room == 0 || handle == NULL ? NULL : find_place(objects, room, kind, (uintptr_t) handle);

    return object == NULL || object->key != (uintptr_t) handle ? NULL : object;
}

Object *ObjectAdd(ObjectKind kind, const void *handle)
{
    Object *object;

    if (handle == NULL || ((count + 1) * 2 > room && !grow())) {
        return NULL;
    }
    object = find_place(objects, room, kind, (uintptr_t) handle);
    count += object->key == 0;
    free(object->key == (uintptr_t) handle ? object->more : NULL);
    *object = (Object){ .key = (uintptr_t) handle, .kind = (uint8_t) kind };
    return object;
}

void ObjectForget(ObjectKind kind, const void *handle)
{
    Object *object = ObjectFind(kind, handle);

    if (object != NULL) {
        free(object->more);
        *object = (Object){ .key = (uintptr_t) &gone };
    }
}

/* In a copy of the process, where another thread may have been in the middle of a change. */
static void forget(void)
{
    objects = NULL;
    room = count = 0;
}
ON_FORK(forget)
