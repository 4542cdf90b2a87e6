/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_LAUNCH_INFO_H
#define MC2_LAUNCH_INFO_H

#include <opprof/stage.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The small text files of a launch. */

#define LAUNCH_TEXT_MAX (1u << 20) /* bytes of one that are read */
#define LAUNCH_SOC_ROOM 64u

typedef struct LaunchInfo {
    char soc[LAUNCH_SOC_ROOM]; /* "": unknown */
    bool is_mc2;
    bool is_lccl;
    bool is_there;     /* the file of the basic facts */
    double core_mhz;   /* current, else rated; 0: unknown */
    uint32_t blocks;   /* of the launch; 0: unknown */
    uint64_t start_pc; /* where the kernel was loaded; 0: unknown */
} LaunchInfo;

/* The basic facts. `chip`: as OpprofRawFormOf. */
void LaunchInfoBasic(LaunchInfo *info, const char *chip, const char *text, size_t length);
/* Tell the stage that the file of the basic facts is cut or doubled. */
void LaunchInfoTell(OpprofStage *stage, uint32_t partition, uint32_t file, const char *text,
                    size_t length);
/* Where the code starts. */
void LaunchInfoStart(LaunchInfo *info, const char *text, size_t length);

#endif
