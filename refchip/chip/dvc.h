/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_DVC_H
#define REFCHIP_CHIP_DVC_H

/*
 * The log interface of the simulator library: the entries that callbacks get. Natural LP64 layout;
 * texts are valid during the call.
 */

#include <stdint.h>

enum DvcLogType {
    DVC_INSTR_POPPED_LOG = 0,
    DVC_INSTR_LOG = 1,
    DVC_MTE_LOG = 2,
    DVC_ICACHE_LOG = 3,
    DVC_IFU_LOG = 4,
    DVC_CCU_LOG = 5
};
#define DVC_LOG_TYPES 6u

/* Sub-cores; other numbers do not exist. */
#define DVC_CUBE0 0u
#define DVC_VECTOR0 1u
#define DVC_VECTOR1 2u

typedef struct DvcInstr {
    uint32_t core_id;
    uint32_t sub_core_id;
    uint64_t pc;
    const char *decode;
    const char *execute;
    const char *json; /* only the second version of the entry has it */
} DvcInstr;

typedef struct DvcMteBif { /* send_cmd, recv_data, recv_cmd_rsp, recv_wr_data_rsp */
    const char *interface;
    uint32_t port;
    uint64_t address;
    uint64_t size;
    uint64_t group_id;
    uint32_t retire_set;
    uint64_t instruction_id;
    uint32_t request_id;
} DvcMteBif;

typedef struct DvcMteIntf { /* recv_rsp, send_req, send_data */
    const char *interface;
    uint32_t port;
    uint64_t address;
    uint64_t size;
    uint32_t tag_id;
    uint64_t instruction_id;
    uint32_t request_id;
} DvcMteIntf;

typedef struct DvcMte {
    uint32_t core_id;
    uint32_t sub_core_id;
    const char *op;
    union {
        DvcMteBif bif;
        DvcMteIntf intf;
    } data;
} DvcMte;

typedef struct DvcIcache {
    uint32_t core_id;
    uint32_t sub_core_id;
    const char *op;
    union {
        struct {
            uint64_t address;
            uint32_t size;
            uint32_t type;
            uint8_t is_last;
        } miss_read;
        struct {
            uint64_t address;
        } fetch_req;
        struct {
            uint64_t group_id;
            uint64_t address;
            uint32_t index;
            uint32_t victim;
        } refill_req; /* the largest */
    } data;
} DvcIcache;

typedef struct DvcCcu {
    uint32_t core_id;
    uint32_t sub_core_id;
    const char *op;
    union {
        struct {
            uint64_t pc;
            const char *name;
            const char *pipe;
        } issue_success;
        uint64_t room[4];
    } data;
} DvcCcu;

_Static_assert(sizeof(DvcMte) == 80, "as the simulator's");
_Static_assert(sizeof(DvcIcache) == 40, "as the simulator's");
_Static_assert(sizeof(DvcCcu) == 48, "as the simulator's");
_Static_assert(sizeof(DvcInstr) == 40, "as the simulator's second version");

typedef void DvcCallback(uint64_t time, const void *entry);

#define DVC_LEVEL_OFF 6u

/* Functions without a value leave something in the register of one, which some callers have taken
 * for a value. */
__attribute__((visibility("default"))) uint64_t DvcSetLogLevel(uint32_t file, uint32_t screen,
                                                               uint32_t flush);
__attribute__((visibility("default"))) void DvcSetLogRotation(uint64_t file_size, uint32_t files);
__attribute__((visibility("default"))) uint64_t DvcAttachLogCallback(uint32_t type,
                                                                     DvcCallback *callback);
/* Of the reference chip alone: stop listening to a type, whose entries are then not made. */
__attribute__((visibility("default"))) void DvcDetachLogCallback(uint32_t type);

#endif
