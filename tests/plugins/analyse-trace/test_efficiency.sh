#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Operators against the peaks of the device: a trace of three operators, with the figures computed
# beside it.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../e2e/lib.sh"
tools=$(cd "$(dirname "$0")/../../tools" && pwd) || exit 99
cd "$WORK" || exit 99
command -v python3 >/dev/null 2>&1 || exit 77

make_trace() {
    python3 "$tools/make_shapes.py" "$1" trace.json
}

row() {
    checks=$((checks + 1))
    grep -qxF -- "$1" out/efficiency.csv ||
        fail "efficiency.csv lacks '$1': $(cat out/efficiency.csv)"
}

make_trace "NVIDIA A100-SXM4-80GB"
opprof --pipeline kineto --set input=trace.json --output out --flat
expect 0
# 2 x 4096 x 1024 x 512 = 4294967296 in 40 us on average; (4194304 + 524288 + 2097152) x 2 bytes;
# 315.077 a byte, where the memory would allow 642.4: the peak of 312 is the roof.
row '0,aten::mm,4096x1024 1024x512,c10::Half,2,80.000,4294967296,107.374,13631488,340.787,315.077,312.000,34.41,compute,NVIDIA A100-SXM4-80GB'
# 2 x 16 x 4096 x 8 = 1048576 in 12 us; (8 + 65536 + 32768 + 128) x 2 = 196880 bytes; 5.326 a byte x
# 2039 GB/s = 10.860.
row '0,aten::addmm,16x4096 4096x8,c10::Half,1,12.000,1048576,0.087,196880,16.407,5.326,10.860,0.80,memory,NVIDIA A100-SXM4-80GB'
# 16 in 1 us; 12 elements of 4 bytes; a third a byte.
row '0,aten::mm,2x2 2x2,float,1,1.000,16,0.000,48,0.048,0.333,0.680,0.00,memory,NVIDIA A100-SXM4-80GB'
row '0,aten::mm,7x2 2x2,quint4x2,1,1.000,56,0.000,NA,NA,NA,NA,NA,NA,NVIDIA A100-SXM4-80GB'
holds [ "$(wc -l <out/efficiency.csv)" = 5 ]
# The peaks that they were compared with, and where these are from: 312 and 156 over 2.039
# operations a byte.
peaks='device,type,peak(TFLOP/s),bandwidth(GB/s),ridge(FLOP/byte),source
NVIDIA A100-SXM4-80GB,c10::Half,312.000,2039.000,153.016,NVIDIA A100 80GB SXM data sheet; float as TF32
NVIDIA A100-SXM4-80GB,float,156.000,2039.000,76.508,NVIDIA A100 80GB SXM data sheet; float as TF32'
holds [ "$(cat out/device_peaks.csv)" = "$peaks" ]

# Attention that its inputs call causal is half of the operations: 2 x 2 heads x 8 x 8 x (4 + 4) =
# 2048, or 1024.
causal() { # OPERATOR INPUTS PLACE
    python3 - "$@" <<'PY' || exit 99
import json, sys
name, inputs, place = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
backward = name.endswith("backward")
ev = []
for call, causal in enumerate(("True", "False")):
    concrete = [""] * inputs
    concrete[place] = causal
    tensor = [[2, 8, 4]] * (4 if backward else 3)
    at = 1000 * call
    ev.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 5, "tid": 5, "ts": at, "dur": 50,
               "args": {"Input Dims": tensor + [[]] * (inputs - len(tensor)),
                        "Input type": ["c10::Half"] * len(tensor) + [""] * (inputs - len(tensor)),
                        "Concrete Inputs": concrete}})
    ev.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5,
               "ts": at + 5, "dur": 5, "args": {"correlation": call}})
    ev.append({"ph": "X", "cat": "kernel", "name": "flash", "pid": 0, "tid": 7, "ts": at + 100,
               "dur": 50, "args": {"device": 0, "stream": 7, "correlation": call}})
json.dump({"distributedInfo": {"rank": 0}, "traceEvents": ev}, open("causal.json", "w"))
PY
    rm -rf out
    opprof --pipeline kineto --set input=causal.json --output out --flat
    expect 0
    checks=$((checks + 1))
    [ "$(cut -d, -f 2,7 out/efficiency.csv | tail -n +2 | sort)" = "$(printf '%s\n' "$1,$4" "$1,$5" | sort)" ] || fail "$1: $(cat out/efficiency.csv)"
    grep -q "8x4 causal," out/efficiency.csv || fail "$1: the shape does not say that it is causal"
}
causal aten::_scaled_dot_product_flash_attention 7 4 1024 2048
causal aten::_scaled_dot_product_efficient_attention 8 6 1024 2048
causal aten::_scaled_dot_product_cudnn_attention 9 6 1024 2048
# Five products instead of two.
causal aten::_scaled_dot_product_flash_attention_backward 15 11 2560 5120
causal aten::_scaled_dot_product_efficient_attention_backward 13 11 2560 5120
causal aten::_scaled_dot_product_cudnn_attention_backward 16 14 2560 5120

# A trace that does not say.
make_trace ""
rm -rf out
opprof --pipeline kineto --set input=trace.json --output out --flat
expect 0
row '0,aten::mm,4096x1024 1024x512,c10::Half,2,80.000,4294967296,107.374,13631488,340.787,315.077,NA,NA,NA,NA'

make_trace "Some Device"
rm -rf out
opprof --pipeline kineto --set input=trace.json --output out --flat
expect 0
row '0,aten::mm,4096x1024 1024x512,c10::Half,2,80.000,4294967296,107.374,13631488,340.787,315.077,NA,NA,NA,Some Device'
holds [ ! -e out/device_peaks.csv ]
rm -rf out
opprof --pipeline kineto --set input=trace.json --set efficiency.device=H1000000 --output out --flat
expect 0
holds [ "$(grep -c "no peaks" .stderr)" = 0 ] # part of the name is enough
rm -rf out
opprof --pipeline kineto --set input=trace.json --set efficiency.device=H10 --output out --flat
expect 0 \
    "Parameter 'device': no peaks are known for 'H10'; parameter 'peaks' takes a file of others"
rm -rf out
opprof --pipeline kineto --set input=trace.json --set efficiency.device=H100 --output out --flat
expect 0
row '0,aten::mm,4096x1024 1024x512,c10::Half,2,80.000,4294967296,107.374,13631488,340.787,315.077,989.500,10.85,compute,H100'

# 107.374 of 980.6 are 10.95 %; the memory would allow 315.077 x 5.3 = 1669.9.
rm -rf out
opprof --pipeline kineto --set input=trace.json --set efficiency.device='AMD Instinct MI300A' \
    --output out --flat
expect 0
row '0,aten::mm,4096x1024 1024x512,c10::Half,2,80.000,4294967296,107.374,13631488,340.787,315.077,980.600,10.95,compute,AMD Instinct MI300A'

# 20 cube cores x 1.8 GHz x 8192 operations a cycle = 294.912; 107.374 of 294.9 are 36.41 %.
rm -rf out
opprof --pipeline kineto --set input=trace.json --set efficiency.device=Ascend910B3 --output out \
    --flat
expect 0
row '0,aten::mm,4096x1024 1024x512,c10::Half,2,80.000,4294967296,107.374,13631488,340.787,315.077,294.900,36.41,compute,Ascend910B3'

# A name may have that of another model in it, and no entry hides a later one.
while read -r half bandwidth device; do
    make_trace "$device"
    rm -rf out
    opprof --pipeline kineto --set input=trace.json --output out --flat
    expect 0
    checks=$((checks + 1))
    grep -q "^$device,c10::Half,$half,$bandwidth," out/device_peaks.csv ||
        fail "$device: $(cat out/device_peaks.csv)"
done <<'EOF'
2500.000 8000.000 NVIDIA GB200
2250.000 7700.000 NVIDIA B200
989.500 4900.000 NVIDIA GH200 144G HBM3e
989.500 4000.000 NVIDIA GH200 480GB
835.500 4800.000 NVIDIA H200 NVL
989.500 4800.000 NVIDIA H200
835.500 3900.000 NVIDIA H100 NVL
756.000 2000.000 NVIDIA H100 PCIe
989.500 3350.000 NVIDIA H100 80GB HBM3
1307.400 5300.000 AMD Instinct MI300X
980.600 5300.000 AMD Instinct MI300A
303.100 800.000 Ascend910B4-1
270.300 800.000 Ascend910B4
363.700 1600.000 Ascend910_9392
363.700 1600.000 Ascend910_9382
256.000 1228.000 Ascend910A
69.500 204.000 Ascend310P3
EOF
python3 - "$tools/../../plugins/analyse-trace/device_peaks.json" <<'EOF' || fail \
    "a device is hidden by one before it"
import json, sys

names = [device["contains"] for device in json.load(open(sys.argv[1], encoding="utf-8"))["devices"]]
sys.exit(any(one in other for place, one in enumerate(names) for other in names[place + 1:]))
EOF

# Peaks of one's own; mistakes in them are named.
make_trace "Some Device"
echo '{"opprof_device_peaks": "1.0", "devices": [{"contains": "Some", "bandwidth": 100, "operations": {"Half": 1}}]}' >peaks.json
rm -rf out
opprof --pipeline kineto --set input=trace.json --set efficiency.peaks=peaks.json --output out \
    --flat
expect 0 "Rates above the device's peak: 1, the first of 'aten::mm'"
row '0,aten::mm,4096x1024 1024x512,c10::Half,2,80.000,4294967296,107.374,13631488,340.787,315.077,1.000,NA,NA,Some Device'
# 107.374 of a peak of 100 by the rated clock are within a tenth of it; 340.787 GB/s of a memory of
# 100 came from caches.
echo '{"opprof_device_peaks": "1.0", "devices": [{"contains": "Some", "bandwidth": 1000, "operations": {"Half": 100}}]}' >peaks.json
rm -rf out
opprof --pipeline kineto --set input=trace.json --set efficiency.peaks=peaks.json --output out \
    --flat
expect 0
row '0,aten::mm,4096x1024 1024x512,c10::Half,2,80.000,4294967296,107.374,13631488,340.787,315.077,100.000,100.00,compute,Some Device'
echo '{"opprof_device_peaks": "1.0", "devices": [{"contains": "Some", "bandwidth": 100, "operations": {"Half": 1000}}]}' >peaks.json
rm -rf out
opprof --pipeline kineto --set input=trace.json --set efficiency.peaks=peaks.json --output out \
    --flat
expect 0
row '0,aten::mm,4096x1024 1024x512,c10::Half,2,80.000,4294967296,107.374,13631488,340.787,315.077,31.508,100.00,cache,Some Device'
holds [ "$(grep -c 'above the device' .stderr)" = 0 ]
sed -i 's/100,/-100,/' peaks.json
opprof --pipeline kineto --set input=trace.json --set efficiency.peaks=peaks.json --output out \
    --flat
expect 2 "peaks.json" "device 1"
finish
