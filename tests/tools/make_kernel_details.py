#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the folder of a profiler's tables with a kernel_details.csv of so many rows:
make_kernel_details.py DIRECTORY ROWS"""

import os
import sys

HEADINGS = (
    "Step ID,Model ID,Task ID,Stream ID,Name,Type,Accelerator Core,Start "
    "Time(us),Duration(us),Wait Time(us),Block Dim,Mix Block Dim,"
    "HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data "
    "Types,Output Formats,Context ID,"
    "aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_mte2_time(us),aic_mte2_ratio,aiv_time(us),aiv_vec_ratio,"
    "cube_utilization(%)"
)
TYPES = ("MatMul", "Add", "Cast", "Transpose", "LayerNorm", "Softmax", "Conv2D")


def row(number):
    """Durations follow no order, and none is twice among its neighbours."""
    kind = TYPES[number % len(TYPES)]
    duration = number * 7919 % 100003
    start = 1750000000000010151 + number * 21037
    return (
        f"{number // 1000},4294967295,{number % 65536},{number % 4},{kind}-op{number % 97},{kind},AI_VECTOR_CORE,"
        f"{start // 1000}.{start % 1000:03}\t,{duration // 1000}.{duration % 1000:03},0.{number % 1000:03},{number % 40 + 1},0,NO,"
        f'"""{number % 47},6;57""",FLOAT16;FLOAT16,ND;ND,"""{number % 47},6""",FLOAT16,ND,N/A,'
        f"0.{number % 999:03},{number % 77}.130,0.260,0.390,0.520,0.650,0.780,0.{number % 990:03},0.040"
    )


def main():
    folder = os.path.join(sys.argv[1], "host_1_20250618083000000_ascend_ms",
                          "ASCEND_PROFILER_OUTPUT")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "kernel_details.csv"), "w", encoding="utf-8") as file:
        print(HEADINGS, file=file)
        for number in range(int(sys.argv[2])):
            print(row(number), file=file)


if __name__ == "__main__":
    main()
