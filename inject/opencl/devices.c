/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices and contexts, by number, and clocks of devices.
 * Tested by tests/plugins/collect-opencl/test_opencl.sh.
 */
#include "inject/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEVICES 64u

static uint32_t last_device; /* with the lock */

/* ---- devices ---- */

/* The loader has functions of all versions, and calls those of the driver that are not there. */
static bool is_of_version(cl_device_id device, int major, int minor)
{
    char text[128] = "";
    int has_major = 0, has_minor = 0;

    below->clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text, text, NULL);
    text[sizeof text - 1] = '\0';
    return sscanf(text, "OpenCL %d.%d", &has_major, &has_minor) == 2 &&
           (has_major > major || (has_major == major && has_minor >= minor));
}

/* Where the driver lets its clock be read, it says so more exactly than commands do. */
static void put_clock(cl_device_id device, uint32_t number)
{
    cl_ulong device_time = 0, host_time = 0;
    OpprofOpenclClock clock = { .device = number };

    if (!is_of_version(device, 2, 1)) {
        return;
    }
    for (int i = 0; i < 3; i++) { /* the first calls may be slow */
        clock.before = Now();
        if (below->clGetDeviceAndHostTimer(device, &device_time, &host_time) != CL_SUCCESS) {
            return;
        }
        clock.after = Now();
        clock.time = device_time;
        RecorderLock();
        RecorderPut(&clock, OPPROF_OPENCL_CLOCK, sizeof clock, NULL, 0);
        RecorderUnlock();
    }
}

static void read_facts(cl_device_id device, OpprofOpenclDevice *record, char *name, size_t size)
{
    cl_ulong memory = 0;
    cl_uint units = 0;

    below->clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    below->clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    if (below->clGetDeviceInfo(device, CL_DEVICE_NAME, size, name, NULL) != CL_SUCCESS) {
        name[0] = '\0';
    }
    name[size - 1] = '\0';
    record->units = units;
    record->memory_bytes = memory;
}

static uint32_t known_number(ObjectKind kind, const void *handle)
{
    const Object *object;
    uint32_t number;

    RecorderLock();
    object = ObjectFind(kind, handle);
    number = object == NULL ? 0 : object->id;
    RecorderUnlock();
    return number;
}

uint32_t DeviceNumber(cl_device_id device)
{
    uint32_t number = known_number(OBJECT_DEVICE, device);
    OpprofOpenclDevice record = { .id = 0 };
    char name[256];

    if (number != 0 || device == NULL) {
        return number;
    }
    read_facts(device, &record, name, sizeof name);
    RecorderLock();
    if (ObjectFind(OBJECT_DEVICE, device) == NULL) { /* another thread may have been faster */
        Object *object = ObjectAdd(OBJECT_DEVICE, device);

        if (object != NULL) {
            object->id = record.id = ++last_device;
            RecorderPut(&record, OPPROF_OPENCL_DEVICE, sizeof record, name, strlen(name));
        }
    }
    RecorderUnlock();
    number = known_number(OBJECT_DEVICE, device);
    if (record.id != 0) {
        put_clock(device, number);
    }
    return number;
}

/* ---- contexts ---- */

uint32_t ContextDevice(cl_context context)
{
    uint32_t number = known_number(OBJECT_CONTEXT, context);
    cl_device_id devices[MOST_DEVICES] = { NULL };

    if (number != 0 || below->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices,
                                               NULL) != CL_SUCCESS) {
        return number;
    }
    number = DeviceNumber(devices[0]);
    RecorderLock();
    if (number != 0) {
        Object *object = ObjectAdd(OBJECT_CONTEXT, context);

        if (object != NULL) {
            object->id = number;
        }
    }
    RecorderUnlock();
    return number;
}

/* Its handle may be another context's from now on, whether or not this was the last reference. */
static cl_int CL_API_CALL hook_clReleaseContext(cl_context context)
{
    Call call;
    cl_int error;

    CallBegin(&call);
    if (call.is_on) {
        RecorderLock();
        ObjectForget(OBJECT_CONTEXT, context);
        RecorderUnlock();
    }
    error = below->clReleaseContext(context);
    CallEnd(&call, "clReleaseContext", OPPROF_OPENCL_CALL_OTHER, NULL, error);
    return error;
}

/* The same of a part of a device. */
static cl_int CL_API_CALL hook_clReleaseDevice(cl_device_id device)
{
    cl_device_id parent = NULL;

    if (LinkIsWanted() &&
        below->clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL) ==
            CL_SUCCESS &&
        parent != NULL) {
        cl_uint references = 0;

        below->clGetDeviceInfo(device, CL_DEVICE_REFERENCE_COUNT, sizeof references, &references,
                               NULL);
        if (references <= 1) {
            RecorderLock();
            ObjectForget(OBJECT_DEVICE, device);
            RecorderUnlock();
        }
    }
    return below->clReleaseDevice(device);
}

static cl_int CL_API_CALL hook_clGetContextInfo(cl_context context, cl_context_info what,
                                                size_t size, void *value, size_t *ret_size)
{
    if (what == CL_CONTEXT_REFERENCE_COUNT && *CallDepth() == 0 && RecorderIsOn()) {
        PendingHarvest(); /* commands that are complete hold their context no more */
    }
    return below->clGetContextInfo(context, what, size, value, ret_size);
}

void DeviceHooksFill(cl_icd_dispatch *table)
{
    table->clReleaseContext = hook_clReleaseContext;
    table->clReleaseDevice = hook_clReleaseDevice;
    table->clGetContextInfo = hook_clGetContextInfo;
}

static void forget(void)
{
    last_device = 0;
}
ON_FORK(forget)
