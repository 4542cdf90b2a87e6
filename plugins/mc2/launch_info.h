/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_LAUNCH_INFO_H
#define MC2_LAUNCH_INFO_H

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
    double core_mhz;   /* current, else rated; 0: unknown */
    uint64_t start_pc; /* where the kernel was loaded; 0: unknown */
} LaunchInfo;

/* The basic facts. `chip`: as OpprofRawFormOf. */
void LaunchInfoBasic(LaunchInfo *info, const char *chip, const char *text, size_t length);
/* Where the code starts. */
void LaunchInfoStart(LaunchInfo *info, const char *text, size_t length);

#endif
