/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_RUNTIME_STATE_H
#define REFCHIP_RUNTIME_STATE_H

/* Shared by the parts of libruntime.so. */

#include "refchip/abi.h"
#include "refchip/chip/fault.h"
#include <stdbool.h>

/* ---- memory.c ---- */

/* NULL: the device has no room, or this allocation is to fail. */
void *MemoryAllocate(uint32_t device, uint64_t size);
/* False: there is no such allocation. */
bool MemoryFree(void *memory);
/* A device is reset. */
void MemoryFreeAll(uint32_t device);
/* Whether a range lies in one allocation of any device. For RefchipLaunch. */
bool MemoryIsValid(void *context, uint64_t address, uint64_t size);

/* ---- binary.c ---- */

typedef struct Binary Binary;

typedef struct Kernel {
    char *name;
    uint32_t entry;        /* instruction */
    uint32_t vector_entry; /* of the vector cores of a mixed kernel */
} Kernel;

struct Binary {
    uint32_t *text;
    uint32_t words;
    uint32_t kind;
    uint64_t load_pc;
    Kernel *kernels;
    uint32_t kernel_count;
    Binary *next; /* of all, which stay until the process ends */
};

/* Copy and read an ELF file; NULL: it is not one of this chip. Never freed: launches may refer to
 * it. */
Binary *BinaryLoad(const void *data, uint64_t size);
const Kernel *BinaryKernel(const Binary *binary, const char *name);
/* The kernel `<name>_<key>`, or the only one. */
const Kernel *BinaryKernelByKey(const Binary *binary, uint64_t key);

/* ---- stream.c ---- */

typedef struct Stream Stream;
/* Work of a stream, in order. It frees itself. The result stays with the stream until it is asked
 * for. */
typedef struct Task Task;
struct Task {
    Task *next;
    AbiError (*run)(Task *task);
    uint32_t size; /* with what follows it; 0: it is not recorded */
    /* A copy is about to run on the stream; what it holds stays the original's. NULL: as it is. */
    void (*aim)(Task *task, Stream *stream);
    void (*drop)(Task *task); /* a recorded task frees what it holds; NULL: nothing */
};

/* ---- model.c ---- */

/* Work that was recorded instead of done, to be done any number of times. */
typedef struct Model Model;
struct Model {
    Task **tasks;
    uint32_t count;
    uint32_t id;
    bool is_built; /* by streams that are bound to it */
    bool is_open;  /* work is still added */
    int32_t mode;  /* of the capture */
    Model *next;   /* of all */
};

/* NULL without memory. */
Model *ModelMake(bool is_built, int32_t mode);
/* Takes the task, which is the model's to run any number of times. */
AbiError ModelAdd(Model *model, Task *task);
/* NULL: there is none of that number. */
Model *ModelFind(uint32_t id);
/* It is not found any more. */
void ModelForget(const Model *model);
/* Its capture is open (1), or no longer (UINT32_MAX). */
void ModelCount(const Model *model, uint32_t step);
/* Whether its streams were bound to it, rather than captured. */
bool ModelIsBuilt(const Model *model);
/* 0, or the error of what an open capture forbids the calling thread. */
AbiError ModelForbids(void);

/* ---- streams ---- */

Stream *StreamCreate(uint32_t device);
/* The stream, or the device's own one for NULL. NULL without memory. */
Stream *StreamOf(AbiStream stream, uint32_t device);
void StreamPut(Stream *stream, Task *task);
/* The same, or record it where the stream is. */
AbiError StreamGive(Stream *stream, Task *task);
/* Wait until all work is done; ms < 0: for ever. */
AbiError StreamWait(Stream *stream, int32_t ms);
void StreamDestroy(Stream *stream);
uint16_t StreamNumber(const Stream *stream);
uint16_t StreamNextTask(Stream *stream);
/* What records the stream's work instead of having it done; NULL: nothing. */
struct Model *StreamModel(Stream *stream);
void StreamSetModel(Stream *stream, struct Model *model);
/* All streams that one records do their work again. */
void StreamForgetModel(const struct Model *model);
/* 0, or what happens to a call that waits for the stream. */
AbiError StreamMayWait(Stream *stream);
/* No work is left. */
bool StreamIsIdle(Stream *stream);
/* Drop what waits, and end what runs. */
void StreamAbort(Stream *stream);
/* For RefchipLaunch. */
bool StreamIsAborted(void *stream);
/* A task of a stream at a place for faults. False: the task fails. */
bool StreamFault(FaultPlace place, uint32_t device, void *stream);
/* Wait for all streams of a device. */
AbiError StreamWaitAll(uint32_t device, int32_t ms);

/* ---- rt.c ---- */

/* The device that the calling thread has chosen, by the driver's number. */
uint32_t CurrentDevice(void);

#endif
