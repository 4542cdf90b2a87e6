/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of a launch as one block, in whichever form they come, so that one more pointer can
 * be put among them: after all arguments, before the data that some of them point to. Tested by
 * tests/inject/ascend/test_arguments.c and tests/refchip/test_instrument.sh.
 */
#include "inject/ascend/board.h"
#include "inject/ascend/hooks.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (1u << 20)

/* ---- lists that the runtime holds ---- */

/* An argument that was appended to a list. */
typedef struct Entry {
    const void *parameter; /* what the program calls it */
    bool is_pointer;       /* to data that the runtime has given room for */
    const void *buffer;    /* the room; NULL: none yet */
    size_t size;           /* of the data, or of the argument */
    uint8_t *bytes;        /* of the argument */
    struct Entry *next;
} Entry;

typedef struct List {
    const void *list;
    const void *block; /* the program's own with all arguments; NULL: they are appended */
    size_t block_size;
    Entry *first;
    Entry **last;
    struct List *next;
} List;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all lists */
static List *lists;

static List *find_list(const void *list)
{
    List *found = lists;

    while (found != NULL && found->list != list) {
        found = found->next;
    }
    return found;
}

static void empty(List *list)
{
    list->block = NULL;
    while (list->first != NULL) {
        Entry *entry = list->first;

        list->first = entry->next;
        free(entry->bytes);
        free(entry);
    }
    list->last = &list->first;
}

void ArgumentsNoteList(const void *list, const void *block, size_t size)
{
    List *known;

    pthread_mutex_lock(&lock);
    known = find_list(list);
    if (known == NULL && (known = calloc(1, sizeof *known)) != NULL) {
        known->list = list;
        known->next = lists;
        lists = known;
        known->last = &known->first;
    }
    if (known != NULL) { /* programs use the room of a list again */
        empty(known);
        known->block = block;
        known->block_size = size;
    }
    pthread_mutex_unlock(&lock);
}

static Entry *append(const void *list, const void *parameter)
{
    List *known = find_list(list);
    Entry *entry = known == NULL ? NULL : calloc(1, sizeof *entry);

    if (entry != NULL) {
        entry->parameter = parameter;
        *known->last = entry;
        known->last = &entry->next;
    }
    return entry;
}

static Entry *find_entry(const void *list, const void *parameter)
{
    const List *known = find_list(list);
    Entry *entry = known == NULL ? NULL : known->first;

    while (entry != NULL && entry->parameter != parameter) {
        entry = entry->next;
    }
    return entry;
}

void ArgumentsNoteArgument(const void *list, const void *data, size_t size, const void *parameter)
{
    Entry *entry;

    pthread_mutex_lock(&lock);
    entry = size > MOST_BYTES ? NULL : append(list, parameter);
    if (entry != NULL && (entry->bytes = malloc(size + 1)) != NULL) {
        memcpy(entry->bytes, data, size);
        entry->size = size;
    }
    pthread_mutex_unlock(&lock);
}

void ArgumentsNotePointer(const void *list, const void *parameter)
{
    Entry *entry;

    pthread_mutex_lock(&lock);
    entry = append(list, parameter);
    if (entry != NULL) {
        entry->is_pointer = true;
    }
    pthread_mutex_unlock(&lock);
}

void ArgumentsNoteData(const void *list, const void *parameter, const void *buffer, size_t size)
{
    Entry *entry;

    pthread_mutex_lock(&lock);
    entry = find_entry(list, parameter);
    if (entry != NULL && entry->is_pointer) {
        entry->buffer = buffer;
        entry->size = size;
    }
    pthread_mutex_unlock(&lock);
}

void ArgumentsNoteChange(const void *list, const void *parameter, const void *data, size_t size)
{
    const Entry *entry;

    pthread_mutex_lock(&lock);
    entry = find_entry(list, parameter);
    if (entry != NULL && entry->bytes != NULL && size <= entry->size) {
        memcpy(entry->bytes, data, size);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- one block ---- */

static uint32_t round_up(uint32_t size)
{
    return (size + 7) & ~7u;
}

/* Room after what is there. NULL: no memory, or too much of it. */
static uint8_t *extend(Arguments *arguments, size_t size, uint32_t *ret_at)
{
    const uint32_t at = round_up(arguments->size);
    uint8_t *bytes =
        size > MOST_BYTES || at > MOST_BYTES ? NULL : realloc(arguments->bytes, at + size + 8);

    if (bytes == NULL) {
        return NULL;
    }
    memset(bytes + arguments->size, 0, at - arguments->size);
    arguments->bytes = bytes;
    arguments->size = at + (uint32_t) size;
    *ret_at = at;
    return bytes + at;
}

static bool add_place(Arguments *arguments, uint32_t pointer, uint32_t data)
{
    aclrtPlaceHolderInfo *places =
        reallocarray(arguments->places, arguments->place_count + 1u, sizeof *places);

    if (places == NULL) {
        return false;
    }
    arguments->places = places;
    places[arguments->place_count++] = (aclrtPlaceHolderInfo){ pointer, data };
    return true;
}

/* The arguments of a list, then the data that some point to. With the lock. */
static bool lay_out(Arguments *arguments, const List *list)
{
    uint32_t first = 0, at;

    if (list->block != NULL) {
        uint8_t *room = extend(arguments, list->block_size, &at);

        if (room != NULL) {
            memcpy(room, list->block, list->block_size);
        }
        return room != NULL;
    }
    for (const Entry *entry = list->first; entry != NULL; entry = entry->next) {
        uint8_t *room = extend(arguments, entry->is_pointer ? 8 : entry->size, &at);

        if (room == NULL || (!entry->is_pointer && entry->bytes == NULL)) {
            return false;
        }
        if (!entry->is_pointer) {
            memcpy(room, entry->bytes, entry->size);
        } else {
            memset(room, 0, 8);
            if (!add_place(arguments, at, 0)) {
                return false;
            }
        }
    }
    for (const Entry *entry = list->first; entry != NULL; entry = entry->next) {
        if (entry->is_pointer) {
            uint8_t *room = entry->buffer == NULL ? NULL : extend(arguments, entry->size, &at);

            if (room == NULL) {
                return false;
            }
            memcpy(room, entry->buffer, entry->size);
            arguments->places[first++].dataOffset = at;
        }
    }
    return true;
}

static bool take_list(Arguments *arguments, const Launch *launch)
{
    const List *list;
    bool is_good;

    pthread_mutex_lock(&lock);
    list = find_list(launch->handle_args);
    is_good = list != NULL && lay_out(arguments, list);
    pthread_mutex_unlock(&lock);
    return is_good;
}

static bool take_block(Arguments *arguments, const Launch *launch)
{
    uint32_t at;
    uint8_t *room = extend(arguments, launch->args_size, &at);

    if (room == NULL) {
        return false;
    }
    if (launch->has_device_args) {
        return DeviceCopy(room, launch->args, launch->args_size, COPY_TO_HOST);
    }
    if (launch->args_size > 0) {
        memcpy(room, launch->args, launch->args_size);
    }
    return true;
}

static bool take_places(Arguments *arguments, const Launch *launch)
{
    const rtArgsEx_t *rt = launch->rt_args;
    bool is_good = true;

    for (size_t i = 0; i < launch->place_count && is_good; i++) {
        is_good = add_place(arguments, launch->places[i].addrOffset, launch->places[i].dataOffset);
    }
    for (uint32_t i = 0;
         rt != NULL && rt->hostInputInfoPtr != NULL && i < rt->hostInputInfoNum && is_good; i++) {
        is_good = add_place(arguments, rt->hostInputInfoPtr[i].addrOffset,
                            rt->hostInputInfoPtr[i].dataOffset);
    }
    if (rt != NULL && rt->hasTiling != 0) {
        arguments->has_tiling = true;
        arguments->tiling_pointer = rt->tilingAddrOffset;
        arguments->tiling_data = rt->tilingDataOffset;
    }
    return is_good;
}

bool ArgumentsTake(Arguments *arguments, const Launch *launch, const char **ret_why)
{
    *arguments = (Arguments){ .size = 0 };
    *ret_why = "its arguments are in a list whose length only the runtime knows";
    if (launch->has_array_args) {
        return false;
    }
    if (launch->handle_args != NULL) {
        *ret_why = "how its arguments were put together is unknown";
        return take_list(arguments, launch);
    }
    *ret_why = "its arguments cannot be copied";
    return take_block(arguments, launch) && take_places(arguments, launch);
}

uint32_t ArgumentsPlace(const Arguments *arguments)
{
    uint32_t place = round_up(arguments->size);

    if (arguments->has_tiling && arguments->tiling_data < place) {
        place = arguments->tiling_data;
    }
    for (uint32_t i = 0; i < arguments->place_count; i++) {
        place = arguments->places[i].dataOffset < place ? arguments->places[i].dataOffset : place;
    }
    return place & ~7u;
}

static void shift(uint32_t *offset, uint32_t place)
{
    *offset += *offset >= place ? 8 : 0;
}

bool ArgumentsInsert(Arguments *arguments, uint64_t pointer)
{
    const uint32_t place = ArgumentsPlace(arguments);
    const uint32_t before = arguments->size;
    uint32_t at;

    if (extend(arguments, 8, &at) == NULL) {
        return false;
    }
    if (place < before) {
        memmove(arguments->bytes + place + 8, arguments->bytes + place, before - place);
        arguments->size = before + 8;
    }
    memcpy(arguments->bytes + place, &pointer, 8);
    for (uint32_t i = 0; i < arguments->place_count; i++) {
        shift(&arguments->places[i].dataOffset, place);
    }
    shift(&arguments->tiling_data, place);
    return true;
}

AbiError ArgumentsLaunch(const Arguments *arguments, const Launch *launch)
{
    rtHostInputInfo_t places[64];
    rtArgsEx_t block = { .args = arguments->bytes,
                         .argsSize = arguments->size,
                         .hostInputInfoPtr = places,
                         .hostInputInfoNum = (uint16_t) arguments->place_count,
                         .hasTiling = arguments->has_tiling,
                         .tilingAddrOffset = arguments->tiling_pointer,
                         .tilingDataOffset = arguments->tiling_data };

    if (launch->is_acl) {
        return CALL_ACL(aclrtLaunchKernelWithHostArgsImpl, (void *) (uintptr_t) launch->function,
                        launch->blocks, launch->stream, launch->config, arguments->bytes,
                        arguments->size, arguments->places, arguments->place_count);
    }
    if (arguments->place_count > 64) {
        return RT_ERROR_VALUE;
    }
    for (uint32_t i = 0; i < arguments->place_count; i++) {
        places[i] =
            (rtHostInputInfo_t){ arguments->places[i].addrOffset, arguments->places[i].dataOffset };
    }
    if (launch->handle != NULL) {
        return CALL_RT(rtKernelLaunchWithHandleV2, (void *) (uintptr_t) launch->handle, launch->key,
                       launch->blocks, &block, launch->sm, launch->stream, launch->rt_config);
    }
    if (launch->is_by_function) {
        return CALL_RT(rtLaunchKernelByFuncHandleV3, (void *) (uintptr_t) launch->function,
                       launch->blocks, &block, launch->stream, launch->rt_config);
    }
    return CALL_RT(rtKernelLaunchWithFlagV2, launch->function, launch->blocks, &block, launch->sm,
                   launch->stream, launch->rt_flags, launch->rt_config);
}

void ArgumentsFinish(Arguments *arguments)
{
    free(arguments->bytes);
    free(arguments->places);
    *arguments = (Arguments){ .size = 0 };
}

static void forget(void)
{
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    memcpy(&lock, &fresh, sizeof lock);
}
ON_FORK(forget)
