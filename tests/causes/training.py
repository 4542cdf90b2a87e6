#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A model of a training loop, and the causes that can make it slow.

A host thread goes through iterations: data, forward and backward operators that launch kernels into
stream 7, all-reduces in stream 20 that wait for gradients by events, an optimizer, and what a cause
adds. Work begins when it was launched, the work before it in its stream has ended, and what the
stream waits for has ended; calls that synchronise end when the work has; an all-reduce ends for all
ranks at once. The same loop without a cause gives the true gain. Times are in us. Python 3 standard
library only."""
import json
import os
import random

COMPUTE, COMMUNICATE = 7, 20
STEPS, LAYERS, BUCKET = 8, 12, 6
DELAY, RETURN = 5.0, 3.0  # from a launch to its work, from work to the call that waited for it
MM = {"Input Dims": [[4096, 4096], [4096, 4096]], "Input type": ["c10::BFloat16", "c10::BFloat16"],
      "External id": 0}

# Operators, kernels and their times.
ATTENTION = (("aten::bmm", "ampere_bf16_s16816gemm_128x64", 120.0),
             ("aten::mul", "vectorized_elementwise_kernel", 120.0),
             ("aten::add", "vectorized_elementwise_kernel", 120.0),
             ("aten::_softmax", "softmax_warp_forward", 150.0),
             ("aten::native_dropout", "fused_dropout_kernel", 120.0),
             ("aten::bmm", "ampere_bf16_s16816gemm_128x64", 120.0))


class Rank:
    def __init__(self, number, seed):
        self.noise = random.Random(seed * 1000 + number)
        self.other = random.Random(seed * 1000 + number + 500)
        self.number = number
        self.now = 100.0 + 3 * number
        self.free = {}
        self.pending = {}
        self.correlation = 0
        self.sequence = {}
        self.trace = []
        self.waiting = []  # all-reduces that other ranks have not reached yet
        self.last = 0.0
        self.pace = 1.0  # how much of its time the host takes

    def put(self, category, name, start, end, **args):
        start, end = round(start, 3), round(end, 3)
        self.trace.append({"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 1,
                           "ts": start, "dur": round(end - start, 3), "args": args})
        self.last = max(self.last, end)

    def about(self, time):
        return time * (1 + 0.02 * (2 * self.noise.random() - 1))

    def added(self, body):
        """What a cause adds has noise of its own, so that the rest is the same with it and
        without."""
        self.noise, self.other = self.other, self.noise
        body()
        self.noise, self.other = self.other, self.noise

    def scope(self, category, name, body, **args):
        start = self.now
        body()
        self.put(category, name, start, self.now, **args)

    def host(self, time):
        self.now += self.about(time) * self.pace

    def call(self, name, time):
        start = self.now
        self.correlation += 1
        self.now += time * self.pace
        self.put("cuda_runtime", name, start, self.now, correlation=self.correlation)
        return start

    def launch(self, kernel, time, stream=COMPUTE, call="cudaLaunchKernel", cost=4.0,
               category="kernel", **args):
        start = max(self.call(call, cost) + DELAY, self.free.get(stream, 0) + 1,
                    *self.pending.pop(stream, [0]))
        self.free[stream] = start + time
        if category == "kernel":
            args = {"grid": [64, 8, 2], "block": [256, 1, 1], "est. achieved occupancy %": 50,
                    **args}
        self.put(category, kernel, start, start + time, device=0, stream=stream,
                 correlation=self.correlation, **args)
        return start + time

    def wait(self, stream, other):
        """A stream waits for all that another one has to do."""
        self.call("cudaEventRecord", 1.0)
        mark = self.correlation
        self.call("cudaStreamWaitEvent", 1.0)
        if other in self.free:
            self.pending.setdefault(stream, [0]).append(self.free[other])
            self.put("cuda_sync", "Stream Wait Event", self.now, self.now, stream=stream, device=0,
                     correlation=self.correlation, wait_on_stream=other,
                     wait_on_cuda_event_record_corr_id=mark, wait_on_cuda_event_id=1)

    def synchronise(self, name, kind, streams):
        start = self.now
        self.correlation += 1
        self.now = max([self.now + 2.0] + [self.free[s] + RETURN for s in streams
                                           if s in self.free])
        self.put("cuda_runtime", name, start, self.now, correlation=self.correlation)
        self.put("cuda_sync", kind, self.now, self.now, stream=-1 if len(streams) > 1
                 else streams[0], device=0, correlation=self.correlation)


class Training:
    """One run. `causes`: what is wrong, by name; see the functions that ask for them."""

    def __init__(self, seed, ranks=1, causes=(), small=False, **sizes):
        self.causes, self.size = set(causes), sizes
        self.scale = 0.012 if small else 1.0
        self.ranks = [Rank(i, seed) for i in range(ranks)]
        self.choice = random.Random(seed)
        for rank in self.ranks:
            rank.pace = 0.0 if sizes.get("free_host") else 1.0
        for step in range(STEPS):
            self.step = step
            self.slow = self.choice.randrange(ranks)
            for rank in self.ranks:
                self.begin(rank)
            self.meet()
            for rank in self.ranks:
                self.finish(rank)
            self.meet()
            for rank in self.ranks:
                rank.put("user_annotation", "ProfilerStep#%d" % step, rank.step_start, rank.now)
        for rank in self.ranks:
            rank.synchronise("cudaDeviceSynchronize", "Context Sync", [COMPUTE, COMMUNICATE])
        self.span = max(rank.last for rank in self.ranks) - 100.0

    def has(self, cause):
        return cause in self.causes

    # ---- an iteration ----

    def begin(self, rank):
        rank.step_start = rank.now
        self.load(rank)
        for layer in range(LAYERS):
            self.layer(rank, layer, 1)
        rank.added(lambda: self.after_forward(rank))
        for layer in range(LAYERS):
            self.layer(rank, layer, 2)
            if len(self.ranks) > 1 and layer % BUCKET == BUCKET - 1 and not self.has(
                "exposed communication"):
                self.reduce(rank, 900.0 if layer < LAYERS - 1 else 150.0)
        if len(self.ranks) > 1 and self.has("exposed communication"):
            for _ in range(4):
                self.reduce(rank, 900.0)
        if self.has("small messages"):
            for _ in range(80):
                self.reduce(rank, 40.0, 16384)

    def finish(self, rank):
        if len(self.ranks) > 1 or self.has("small messages"):
            rank.wait(COMPUTE, COMMUNICATE)
        self.optimize(rank)
        self.end(rank)

    def load(self, rank):
        def body():
            rank.scope("cpu_op", "aten::stack", lambda: rank.host(3 if self.scale < 1 else 60))
            is_slow = self.causes & {"data loading", "loader and waits",
                                     "loader in frames"} or (self.has("late loader")
                                                             and rank.number == 1) or (
                self.has("first loader") and self.step == 0)
            rank.host(45000 if is_slow else 3 if self.scale < 1 else 100)
        if self.has("loader in frames"):
            rank.scope("python_function", "torch/utils/data/dataloader.py(630): __next__",
                       lambda: rank.scope("python_function",
                                          "torch/utils/data/_utils/fetch.py(54): fetch", body))
        else:
            rank.scope("user_annotation",
                       "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", body)
        name = "Memcpy HtoD (Pageable -> Device)" if self.has(
            "pageable copies") else "Memcpy HtoD (Pinned -> Device)"

        def copies():
            for _ in range(2):
                if self.has("pageable copies"):
                    end = rank.launch(name, 2500.0, call="cudaMemcpyAsync", category="gpu_memcpy",
                                      bytes=20000000)
                    rank.trace[-2]["dur"] += round(end + RETURN - rank.now, 3)
                    rank.now = end + RETURN
                else:
                    rank.launch(name, 20.0 * self.scale, stream=9, call="cudaMemcpyAsync",
                                category="gpu_memcpy", bytes=400000)
        rank.scope("cpu_op", "aten::to", copies)

    def kernel_time(self, rank, time):
        if self.has("slow device") and rank.number == len(self.ranks) - 1:
            time *= 1.25
        if self.has("moving imbalance") and rank.number == self.slow:
            time *= 1.4
        if self.has("balanced"):
            time *= 1 + 0.4 / len(self.ranks)
        return rank.about(time * self.scale)

    def layer(self, rank, layer, times):
        product = 4500.0 if self.has("slow products") else 600.0
        if self.has("longer products") and rank.number == len(self.ranks) - 1:
            product *= 1.4  # of more tokens
        if self.has("more layers") and rank.number == 0 and layer % 3 == 0:
            times += 1
        shapes = {} if self.scale < 1 or self.size.get("shapeless") else MM
        for _ in range(times):
            rank.scope("cpu_op", "aten::mm",
                       lambda: (rank.host(5), rank.launch("ampere_bf16_s16816gemm_128x128",
                                                          self.kernel_time(rank, product)),
                                rank.host(3)),
                       **shapes)
            rank.scope("cpu_op", "aten::gelu",
                       lambda: (rank.host(4), rank.launch("gelu_forward_kernel",
                                                          self.kernel_time(rank, 60.0)),
                                rank.host(2)))
        rank.added(lambda: self.more_of_layer(rank, layer))
        rank.host(3)

    def more_of_layer(self, rank, layer):
        if self.has("layout conversions"):
            rank.scope("cpu_op", "aten::contiguous",
                       lambda: (rank.host(4),
                                rank.launch("nchwToNhwcKernel", self.kernel_time(rank, 150.0)),
                                rank.host(2)))
        if self.has("small copies"):
            rank.scope("cpu_op", "aten::copy_",
                       lambda: [rank.launch("Memcpy HtoD (Pinned -> Device)", 3.0,
                                            call="cudaMemcpyAsync",
                                                                     category="gpu_memcpy",
                                            bytes=2048) for _ in range(40)])
        if self.has("dominating kernel") and layer % 4 == 0:
            rank.scope("cpu_op", "aten::my_scan",
                       lambda: (rank.host(4),
                                rank.launch("my_serial_kernel", self.kernel_time(rank, 8000.0)),
                                rank.host(2)))
        for _ in range(20 if self.has("unfused elementwise") else 1 if self.has("fused elementwise")
                       else 0):
            rank.scope("cpu_op", "aten::mul", lambda: (
                rank.host(4), rank.launch("vectorized_elementwise_kernel",
                                          self.kernel_time(rank, 60.0)), rank.host(2)))
        for name, kernel, time in ATTENTION if self.causes & {"attention in pieces",
                                                              "batched products"} else ():
            if self.has("attention in pieces") or name == "aten::bmm":
                rank.scope("cpu_op", name, lambda: (
                    rank.host(4), rank.launch(kernel, self.kernel_time(rank, time)), rank.host(2)))
        blocks = 8 if self.has("too few blocks") else 108 if self.has("enough blocks") else 0
        if blocks and layer % 4 == 0:
            rank.scope("cpu_op", "aten::my_reduce", lambda: (rank.host(4), rank.launch(
                "row_reduce_kernel", self.kernel_time(rank, 1500.0 * 8 / blocks),
                grid=[blocks, 1, 1]), rank.host(2)))
        if self.has("operators on the CPU of the device") and layer % 4 == 0:
            rank.scope("cpu_op", "aten::unique",
                       lambda: (rank.host(4), rank.launch("aclnnUnique2_Unique2AiCpu_Unique",
                                                          self.kernel_time(rank, 1500.0))))
        if self.has("synchronisation"):
            rank.scope("cpu_op", "aten::item",
                       lambda: (rank.host(3), rank.synchronise("cudaStreamSynchronize",
                                                               "Stream Sync", [COMPUTE]),
                                                        rank.host(25)))

    def after_forward(self, rank):
        if self.has("late host") and rank.number == 1:
            rank.scope("cpu_op", "aten::tokenize", lambda: rank.host(45000))
        if self.has("allocation"):
            def allocate():
                for _ in range(8):
                    rank.call("cudaMalloc", rank.about(5500))
                    rank.host(2)
            rank.scope("cpu_op", "aten::empty", allocate)
        if self.has("garbage collection"):
            rank.scope("user_annotation", "gc.collect", lambda: rank.host(42000))
        if self.has("recompilation") or (self.has("compilation") and self.step < 2):
            rank.scope("user_annotation", "torch._dynamo.convert_frame.compile_inner",
                       lambda: rank.host(44000))
        if self.has("pipeline bubbles"):
            rank.wait(COMMUNICATE, COMPUTE)
            rank.scope("cpu_op", "c10d::recv_", lambda: rank.launch(
                "ncclDevKernel_SendRecv", rank.about(5000), stream=COMMUNICATE,
                **{"Collective name": "recv", "Process Group Name": "pp",
                                                                                  "In msg nelems":
                   1048576, "Out msg nelems": 1048576, "dtype": "Float"}))
            rank.wait(COMPUTE, COMMUNICATE)

    def optimize(self, rank):
        def body():
            if self.causes & {"unfused optimizer", "optimizer in frames"}:
                rank.added(lambda: [rank.scope("cpu_op", "aten::mul_" if i % 2 else "aten::add_",
                                               lambda: (
                    rank.host(8), rank.launch("vectorized_elementwise_kernel", rank.about(3.0)),
                    rank.host(8))) for i in range(1500)])
            else:
                for _ in range(4):
                    rank.scope("cpu_op", "aten::_fused_adamw_",
                               lambda: (rank.host(10),
                                        rank.launch("multi_tensor_apply_kernel",
                                                    rank.about(90.0 * self.scale)), rank.host(2)))
        if self.has("optimizer in frames"):
            rank.scope("python_function", "torch/optim/adamw.py(219): step", body)
        else:
            rank.scope("user_annotation", "Optimizer.step#AdamW.step", body)

    def more_of_end(self, rank):
        if self.has("evaluation") and self.step == 5:
            rank.scope("user_annotation", "evaluate",
                       lambda: [rank.launch("ampere_bf16_s16816gemm_128x128",
                                            self.kernel_time(rank, 600.0)) for _ in range(90)])
        for _ in range(500 if self.has("short reductions") else 0):
            rank.scope("cpu_op", "aten::linalg_vector_norm",
                       lambda: rank.launch("reduce_kernel", rank.about(6.0)))
        for _ in range(800 if self.has("fills") else 0):
            rank.scope("cpu_op", "aten::zero_",
                       lambda: rank.launch("Memset (Device)", rank.about(4.0),
                                           call="cudaMemsetAsync", category="gpu_memset",
                                           bytes=4096))

    def end(self, rank):
        rank.added(lambda: self.more_of_end(rank))
        if self.has("exposed copies"):
            rank.added(lambda: [rank.launch("Memcpy DtoH (Device -> Pinned)", rank.about(1500),
                                            call="cudaMemcpyAsync", category="gpu_memcpy",
                                            bytes=30000000) for _ in range(3)])
        if self.has("checkpoint") and self.step in (3, 6) or (
                self.has("last checkpoint") and self.step == STEPS - 1):
            if self.has("last checkpoint"):
                rank.synchronise("cudaDeviceSynchronize", "Context Sync", [COMPUTE])
            rank.added(lambda: rank.scope("user_annotation", "save_checkpoint",
                                          lambda: rank.host(self.size.get("pause", 200000))))
        if self.causes & {"unnamed collection", "no collection"}:
            if self.has("unnamed collection") and self.step in (1, 4, 6):
                rank.added(lambda: rank.host(110000))
            rank.put("python_function", "train.py(81): train_step", rank.step_start, rank.now)
        if self.causes & {"loader and waits", "only waits"}:
            rank.added(lambda: rank.scope("cpu_op", "aten::item",
                                          lambda: rank.synchronise("cudaStreamSynchronize",
                                                                   "Stream Sync", [COMPUTE])))

    # ---- collectives ----

    def group_of(self, rank):
        return (rank.number // 2, 2) if "slow group" in self.causes or self.size.get(
            "groups") else (0, len(self.ranks))

    def reduce(self, rank, time, elements=8388608):
        group, size = self.group_of(rank)
        if elements > 1048576:
            elements *= self.size.get("large", 1)
        if self.size.get("uneven") and group == 1:
            time, elements = time / 10, elements // 512
        if self.has("slow group") and group == 1:
            time *= 12
        rank.wait(COMMUNICATE, COMPUTE)
        start = rank.now
        launched = rank.call("cudaLaunchKernel", 4.0)
        begins = max(launched + DELAY, *rank.pending.pop(COMMUNICATE, [0]))
        rank.put("cpu_op", "nccl:all_reduce", start, rank.now)
        if self.has("late device") and rank.number == 1:
            begins += 3000.0  # though its launch was in time
        rank.waiting.append((group, size, begins, time, elements, rank.correlation))
        rank.free[COMMUNICATE] = float("inf")  # known once the others are there

    def meet(self):
        """All ranks have launched as many all-reduces; each ends for all of its group at once."""
        free = {rank.number: rank.trace_free if hasattr(rank, "trace_free") else 0.0
                for rank in self.ranks}
        for i in range(max((len(rank.waiting) for rank in self.ranks), default=0)):
            for group in sorted({rank.waiting[i][0] for rank in self.ranks}):
                there = [rank for rank in self.ranks if rank.waiting[i][0] == group]
                starts = {rank.number: max(rank.waiting[i][2], free[rank.number] + 1)
                          for rank in there}
                end = max(starts.values()) + self.ranks[0].about(there[0].waiting[i][3])
                for rank in there:
                    free[rank.number] = end
                    number = rank.sequence[group] = rank.sequence.get(group, -1) + 1
                    rank.put("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                             starts[rank.number], end, device=0, stream=COMMUNICATE,
                             correlation=rank.waiting[i][5], grid=[24, 1, 1], block=[512, 1, 1],
                             **{"Collective name": "allreduce", "Process Group Name": "g%d" % group,
                                "Seq": number, "In msg nelems": rank.waiting[i][4],
                                "Out msg nelems": rank.waiting[i][4], "dtype": "Float",
                                "Group size": rank.waiting[i][1]})
        for rank in self.ranks:
            if rank.waiting:
                rank.free[COMMUNICATE] = rank.trace_free = free[rank.number]
            rank.waiting = []

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for rank in self.ranks:
            document = {"schemaVersion": 1,
                        "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB",
                                              "numSms": 108}],
                        "distributedInfo": {"rank": rank.number, "world_size": len(self.ranks)},
                        "traceEvents": rank.trace}
            with open(os.path.join(folder, "rank%d.json" % rank.number), "w",
                      encoding="utf-8") as file:
                json.dump(document, file)
