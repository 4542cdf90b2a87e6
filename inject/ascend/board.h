/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_ASCEND_BOARD_H
#define INJECT_ASCEND_BOARD_H

/* Profiling on a device, beside ascend.h: the driver's channels,
 * memory that is put back. */

#include "inject/ascend/ascend.h"
#include "refchip/hal_abi.h"

/* ---- plan.c: the collector's plan for every launch ---- */

typedef struct PlanChannel {
    OpprofLiveChannel head;
    const uint8_t *user; /* within the plan */
} PlanChannel;

typedef struct PlanPass {
    PlanChannel channels[OPPROF_LIVE_MOST_CHANNELS];
    uint32_t count;
    bool has_monitors;
    OpprofLiveMonitors monitors;
    bool has_area; /* the kernel is instrumented */
    OpprofLiveArea area;
} PlanPass;

typedef struct Plan {
    OpprofLivePlan head;
    PlanPass passes[OPPROF_LIVE_MOST_PASSES];
    uint8_t *bytes; /* as they came */
} Plan;

/* Take a plan apart, whose bytes it keeps. False: it is not one. */
bool PlanRead(Plan *plan, uint8_t *bytes, size_t size);

/* ---- driver.c: libascend_hal.so ---- */

/* The driver's function of a name, NULL: none. */
void *DriverFind(const char *name);
#define DRIVER(name) ((__typeof__(&name)) DriverFind(#name))
/* The number that the driver has for a device of the program. */
uint32_t DriverDevice(int32_t device);
/* MHz; 0: unknown. */
uint32_t DriverCurrentFrequency(uint32_t device);
uint32_t DriverRatedFrequency(uint32_t device);

/* ---- missing.c ---- */

/* Report which functions the driver and the runtime lack, and what is lost without them. */
void MissingReport(void);

/* ---- channels.c: a pass's channels, from their start to their last byte ---- */

typedef struct Channels Channels;
/* Open them and begin to read. NULL: nothing is open, and notes say why. */
Channels *ChannelsStart(const PlanPass *pass, uint32_t number, uint32_t device,
                        uint32_t operator_id);
/* Close them, read what is left within `limit_ms`, and free. False: something is missing, and notes
 * say what. */
bool ChannelsStop(Channels *channels, uint32_t limit_ms);

/* ---- monitors.c: monitors of cores, programmed by hand ---- */

typedef struct Monitors Monitors;
/* Program those of a pass. NULL: none is on, and notes say why. */
Monitors *MonitorsStart(const PlanPass *pass, uint32_t number, uint32_t device,
                        uint32_t operator_id);
/* The task has ended: switch them off, send what they wrote, and free. False: something is missing,
 * and notes say what. */
bool MonitorsStop(Monitors *monitors);

/* ---- instrument.c: a pass in which an instrumented kernel runs in the kernel's place ---- */

/* Prepare it and its record area for InstrumentLaunch. False: that failed, and notes or the
 * collector say why. */
bool InstrumentStart(const Launch *launch, const LaunchKernel *kernel, const OpprofLiveArea *area,
                     uint32_t number);
/* Send what it has recorded, and hold nothing. False: something is missing, and notes say what. */
bool InstrumentStop(bool has_ended);

/* ---- memory.c: what the program has allocated on its devices ---- */

/* An allocation was made; or is about to be freed. */
void MemoryAdd(int32_t device, void *address, uint64_t size);
void MemoryRemove(const void *address);
/* A device was reset. */
void MemoryRemoveAll(int32_t device);
/* The device in whose memory an address lies; negative: unknown. */
int32_t MemoryDevice(uint64_t address);

typedef struct Snapshot {
    uint64_t bytes;
    uint64_t save_ns;
    uint64_t restored;
    uint64_t restore_ns;
} Snapshot;

/* Save all memory of a device. False: that failed, nothing is held, and *ret_why says why. */
bool MemorySave(int32_t device, Snapshot *snapshot, const char **ret_why);
/* Put it back. */
bool MemoryRestore(Snapshot *snapshot);
/* Whether it is what it was when it was saved. */
bool MemoryVerify(void);
/* Hold no copies any more. */
void MemoryForgetCopies(void);

/* ---- calls of the runtime, the same for both of its layers ---- */

/* See which device the thread has chosen, for CallDevice. In hooks.c. */
void DeviceRefresh(void);

void *DeviceAllocate(uint64_t size);
void DeviceFree(void *memory);
#define COPY_TO_DEVICE 1u
#define COPY_TO_HOST 2u
#define COPY_DEVICE 3u
bool DeviceCopy(void *target, const void *source, uint64_t size, uint32_t kind);
/* Wait for a stream; 0, an error, or ACL_ERROR_TIMEOUT. */
AbiError DeviceWait(AbiStream stream, uint32_t ms);
/* Wait for all of the device. */
AbiError DeviceWaitAll(AbiStream stream, uint32_t ms);
void DeviceAbort(AbiStream stream);
uint64_t Now(void); /* ns */

/* ---- board.c: a launch that is profiled ---- */

/* Whether the collector profiles on a device; asks for the plan at the first call. */
bool BoardIsReady(void);
/* Begin with a selected launch. False: it cannot be profiled, and notes say why. */
bool BoardBegin(Launch *launch, const LaunchKernel *kernel);
/* Get ready for the next time that the launch is to be made. False: it was made often enough. */
bool BoardNext(Launch *launch);
/* It was made. */
void BoardDone(Launch *launch, AbiError error);
/* After BoardNext has said false: report to the collector how it went. */
void BoardEnd(Launch *launch);
/* Nothing is held any more; an interrupt that came meanwhile takes effect. */
void BoardRelease(void);
/* Whether launches of mstx ranges are repeated together. After BoardIsReady. */
bool BoardHasRanges(void);
/* Whether the launch that the program means is a pass. After BoardIsReady. */
bool BoardIsApplication(void);
/* Whether a launch uses only memory that can be put back; else a note says so. */
bool BoardKnowsMemory(const Launch *launch);
/* ms that a wait may take. */
uint32_t BoardDeadline(void);

#endif
