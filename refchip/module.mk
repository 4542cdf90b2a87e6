# SPDX-License-Identifier: Apache-2.0
# The reference chip: libraries that programs for the Ascend runtime run on, an assembler for its
# kernels, sample operators, and the command that runs a program on it.
REFCHIP_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)
REFCHIP_CFLAGS = $(REPLACED_CFLAGS) -fvisibility=hidden
# They name each other by file, past libtool, which would write a run path: packages have none, and opprof-refchip says where they are.
REFCHIP_LDFLAGS = $(AM_LDFLAGS) -avoid-version -shared
refchipdir = $(pkglibdir)/refchip
refchiplibdir = $(refchipdir)/lib
refchipprogramsdir = $(refchipdir)/programs
refchipkernelsdir = $(refchipdir)/kernels

# In the order in which they are installed: libtool links each again, with those before it.
refchiplib_LTLIBRARIES = refchip/libpem_davinci.la refchip/libascend_hal.la refchip/libprofapi.la refchip/libruntime.la \
	refchip/libascendcl.la refchip/libhccl.la
refchip_isa = refchip/isa.c refchip/isa.h
refchip_config = refchip/chip/config.c refchip/chip/config.h
refchip_libpem_davinci_la_SOURCES = \
	$(refchip_isa) $(refchip_config) \
	refchip/chip/core.c refchip/chip/core.h refchip/chip/counts.h refchip/chip/describe.c refchip/chip/describe_310p.c refchip/chip/dvc.h refchip/chip/events.c \
	refchip/chip/execute.c refchip/chip/execute.h refchip/chip/fault.c refchip/chip/fault.h refchip/chip/l2.c refchip/chip/l2.h \
	refchip/chip/log.c refchip/chip/log.h refchip/chip/memory_map.c refchip/chip/operate.c refchip/chip/profile.c refchip/chip/profile.h \
	refchip/chip/record.c refchip/chip/record.h refchip/chip/report.c refchip/chip/report.h refchip/chip/report_warp.c refchip/chip/simt.c refchip/chip/simt.h refchip/chip/trace.c refchip/chip/trace.h refchip/chip/window.c refchip/chip/window.h
refchip_libpem_davinci_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_libpem_davinci_la_CFLAGS = $(REFCHIP_CFLAGS)
refchip_libpem_davinci_la_LDFLAGS = $(REFCHIP_LDFLAGS)

# The simulator of the 310P has no log callbacks.
refchip310plibdir = $(refchiplibdir)/310P
refchip310plib_LTLIBRARIES = refchip/310P/libpem_davinci.la
refchip_310P_libpem_davinci_la_SOURCES = $(refchip_libpem_davinci_la_SOURCES)
refchip_310P_libpem_davinci_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_310P_libpem_davinci_la_CFLAGS = $(REFCHIP_CFLAGS)
refchip_310P_libpem_davinci_la_LDFLAGS = $(REFCHIP_LDFLAGS) -export-symbols-regex '^Refchip'

refchip_runtime_sources = refchip/abi.h $(refchip_config) refchip/runtime/state.h \
	refchip/runtime/binary.c refchip/runtime/comm.c refchip/runtime/comm.h refchip/runtime/gather.c refchip/runtime/memory.c refchip/runtime/model.c refchip/runtime/rt.c refchip/runtime/rt_event.c refchip/runtime/rt_launch.c refchip/runtime/rt_model.c refchip/runtime/stream.c
refchip_acl_sources = refchip/runtime/acl.h refchip/runtime/acl_impl.c refchip/runtime/acl_launch.c refchip/runtime/acl_order.c
# Calls from one exported function to another stay inside, so that one launch is not seen twice.
refchip_libruntime_la_SOURCES = $(refchip_runtime_sources) $(refchip_acl_sources)
refchip_libruntime_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_libruntime_la_CFLAGS = $(REFCHIP_CFLAGS)
# The driver is loaded with the runtime, though the runtime asks nothing of it.
refchip_libruntime_la_LDFLAGS = $(REFCHIP_LDFLAGS) -Wl,-Bsymbolic -Wl,--no-as-needed -Wl,refchip/.libs/libascend_hal.so -Wl,refchip/.libs/libprofapi.so -Wl,refchip/.libs/libpem_davinci.so
refchip_libruntime_la_DEPENDENCIES = refchip/libascend_hal.la refchip/libprofapi.la refchip/libpem_davinci.la
# Small libraries beside the runtime, which tells the first one of devices.
refchiplib_LTLIBRARIES += refchip/libascend_dump.la refchip/libdcmi.la
refchip_libprofapi_la_SOURCES = refchip/host/profapi.c refchip/host_abi.h
refchip_libprofapi_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_libprofapi_la_CFLAGS = $(REFCHIP_CFLAGS)
refchip_libprofapi_la_LDFLAGS = $(REFCHIP_LDFLAGS)
refchip_libascend_dump_la_SOURCES = refchip/host/ascend_dump.c
refchip_libascend_dump_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_libascend_dump_la_CFLAGS = $(REFCHIP_CFLAGS)
refchip_libascend_dump_la_LDFLAGS = $(REFCHIP_LDFLAGS)
refchip_libdcmi_la_SOURCES = refchip/host/dcmi.c
refchip_libdcmi_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_libdcmi_la_CFLAGS = $(REFCHIP_CFLAGS)
refchip_libdcmi_la_LDFLAGS = $(REFCHIP_LDFLAGS)
refchip_libascend_hal_la_SOURCES = refchip/hal/hal.c refchip/hal_abi.h
refchip_libascend_hal_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_libascend_hal_la_CFLAGS = $(REFCHIP_CFLAGS)
refchip_libascend_hal_la_LDFLAGS = $(REFCHIP_LDFLAGS) -Wl,refchip/.libs/libpem_davinci.so
refchip_libascend_hal_la_DEPENDENCIES = refchip/libpem_davinci.la
refchip_libhccl_la_SOURCES = refchip/hccl/hccl.c refchip/hccl_abi.h
refchip_libhccl_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_libhccl_la_CFLAGS = $(REFCHIP_CFLAGS)
refchip_libhccl_la_LDFLAGS = $(REFCHIP_LDFLAGS) -Wl,refchip/.libs/libruntime.so
refchip_libhccl_la_DEPENDENCIES = refchip/libruntime.la
refchip_libascendcl_la_SOURCES = refchip/runtime/ascendcl.c
refchip_libascendcl_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_libascendcl_la_CFLAGS = $(REFCHIP_CFLAGS)
refchip_libascendcl_la_LDFLAGS = $(REFCHIP_LDFLAGS) -Wl,refchip/.libs/libruntime.so
refchip_libascendcl_la_DEPENDENCIES = refchip/libruntime.la

# It instruments kernels for profiling, so it is installed.
refchip_PROGRAMS = refchip/refchip-as
refchip_refchip_as_SOURCES = refchip/as/refchip_as.c refchip/as/assemble.c refchip/as/assemble.h refchip/as/instrument.c refchip/as/instrument.h \
	refchip/as/read_elf.c refchip/as/write_elf.c \
	$(refchip_isa)
refchip_refchip_as_CPPFLAGS = $(REFCHIP_CPPFLAGS)

# Kernels name their source as it lies in the tree, so that results do not depend on where that is.
refchip_kernel_names = all_gather matmul matmul_double matmul_relu vector_add vector_add_double vector_add_simt
refchipkernels_DATA = $(refchip_kernel_names:%=refchip/kernels/%.o)
EXTRA_DIST += $(refchip_kernel_names:%=refchip/kernels/%.s)
CLEANFILES += $(refchipkernels_DATA)
$(refchipkernels_DATA): refchip/kernels/%.o: $(top_srcdir)/refchip/kernels/%.s refchip/refchip-as$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) refchip/kernels && $(RUN_BUILT)refchip/refchip-as$(EXEEXT) $< refchip/kernels/$*.s $@

# Linked to the libraries by file, without libtool's wrapper: the search path decides which ones they get.
refchipprograms_PROGRAMS = refchip/programs/all-gather refchip/programs/matmul refchip/programs/vector-add
refchip_program_libs = refchip/.libs/libascendcl.so refchip/.libs/libruntime.so refchip/.libs/libprofapi.so refchip/.libs/libascend_hal.so refchip/.libs/libpem_davinci.so
refchip_program_deps = $(refchiplib_LTLIBRARIES) $(refchipkernels_DATA)
refchip_host = refchip/programs/host.c refchip/programs/host.h
refchip_programs_all_gather_SOURCES = refchip/programs/all_gather.c $(refchip_host)
refchip_programs_all_gather_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_programs_all_gather_LDADD = refchip/.libs/libhccl.so $(refchip_program_libs)
refchip_programs_all_gather_DEPENDENCIES = $(refchip_program_deps)
refchip_programs_matmul_SOURCES = refchip/programs/matmul.c $(refchip_host)
refchip_programs_matmul_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_programs_matmul_LDADD = $(refchip_program_libs)
refchip_programs_matmul_DEPENDENCIES = $(refchip_program_deps)
refchip_programs_vector_add_SOURCES = refchip/programs/vector_add.c $(refchip_host)
refchip_programs_vector_add_CPPFLAGS = $(REFCHIP_CPPFLAGS)
refchip_programs_vector_add_LDADD = $(refchip_program_libs)
refchip_programs_vector_add_DEPENDENCIES = $(refchip_program_deps)

bin_PROGRAMS += refchip/opprof-refchip
refchip_opprof_refchip_SOURCES = refchip/opprof_refchip.c
refchip_opprof_refchip_CPPFLAGS = $(AM_CPPFLAGS) -DREFCHIP_DIRECTORY='"$(refchipdir)"'
refchip_opprof_refchip_LDADD = $(LIBOPPROF_KIT) $(LIBOPPROF)

nobase_dist_guides_DATA += refchip/README.md
