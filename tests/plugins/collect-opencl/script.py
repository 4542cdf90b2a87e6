# SPDX-License-Identifier: Apache-2.0
"""A program that nobody wrote for opprof: PyOpenCL doubles an array five times."""
import numpy
import pyopencl

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
values = numpy.arange(100000, dtype=numpy.int32)
buffer = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE
                         | pyopencl.mem_flags.COPY_HOST_PTR, hostbuf=values)
program = pyopencl.Program(context, """
__kernel void twice(__global int *values)
{
    values[get_global_id(0)] *= 2;
}
""").build(cache_dir=False)
for _ in range(5):
    program.twice(queue, values.shape, None, buffer)
pyopencl.enqueue_copy(queue, values, buffer)
print(values[:8].tolist(), int(values.sum()))
