# SPDX-License-Identifier: Apache-2.0
"""make_sample.py DATA FOLDER: one folder with all samples of DATA, each with numbers of
devices of its own. The slices of device 1 of generation B have whole records, and all else in one
slice."""
import collections
import glob
import os
import re
import shutil
import sys

SIZES = {"hwts": 64, "ts_track": 40, "aicore": 128, "DATA_PREPROCESS": 128, "Framework": 256}
FIRST = {"raw_hwts": 30, "raw_small": 40, "raw_aicpu": 50, "parsed": 60, "parsed_run2": 70,
         "made_gpu": 80, "made_cluster": 90}


def cut_again(folder):
    """Cuts the logs of a device into three slices of whole records."""
    logs = collections.defaultdict(list)
    for path in glob.glob(os.path.join(folder, "*.slice_*")):
        stem, number = path.rsplit("_", 1)
        logs[stem].append(int(number))
    for stem, numbers in logs.items():
        data = b""
        for number in sorted(numbers):
            with open(f"{stem}_{number}", "rb") as file:
                data += file.read()
            os.remove(f"{stem}_{number}")
        size = len(data) if "hash_dic" in stem else SIZES[
            re.match("[A-Z_]{2,}|[A-Za-z_]+", os.path.basename(stem))[0]]
        step = max(1, len(data) // size // 3) * size
        for number, at in enumerate(range(0, len(data), step)):
            with open(f"{stem}_{number}", "wb") as file:
                file.write(data[at : at + step])


def main():
    data, out = sys.argv[1:]
    shutil.copytree(os.path.join(data, "made_b"), out)
    for folder, _, _ in os.walk(out):
        os.chmod(folder, 0o755)
    cut_again(glob.glob(os.path.join(out, "PROF*", "device_1", "data"))[0])
    for name, first in FIRST.items():
        for file in os.listdir(os.path.join(data, name)):
            other = re.sub(r"\d+(?=(_detail_time|_detail|_type)?\.(csv|txt|json)$|\.slice)",
                           lambda number: str(first + int(number[0])), file)
            shutil.copy(os.path.join(data, name, file), os.path.join(out, other))


main()
