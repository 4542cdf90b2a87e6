# SPDX-License-Identifier: Apache-2.0
# The command, the assembler and the kernels of the build tree; what tests of live collection use as well.
AM_TESTS_ENVIRONMENT += \
	OPPROF_REFCHIP_COMMAND='$(call built_program,refchip/opprof-refchip)'; export OPPROF_REFCHIP_COMMAND; \
	REFCHIP_AS='$(abs_top_builddir)/$(emulated)refchip/refchip-as'; export REFCHIP_AS; \
	OPPROF_INSTRUMENTER="$$REFCHIP_AS"; export OPPROF_INSTRUMENTER; \
	REFCHIP_KERNELS='$(abs_top_builddir)/refchip/kernels'; export REFCHIP_KERNELS; \
	REFCHIP_LAYOUTS='$(abs_top_builddir)/tests/refchip'; export REFCHIP_LAYOUTS; \
	REFCHIP_BOARD_DRIVER='$(abs_top_builddir)/tests/refchip/board_driver'; export REFCHIP_BOARD_DRIVER; \
	OPPROF_LAUNCHER='$(abs_top_builddir)/inject/opprof-launch-kernel'; export OPPROF_LAUNCHER; \
	REFCHIP_LIBRARIES='$(abs_top_builddir)/refchip/.libs'; export REFCHIP_LIBRARIES; \
	REFCHIP_LIBRARIES_310P='$(abs_top_builddir)/refchip/310P/.libs'; export REFCHIP_LIBRARIES_310P; \
	REFCHIP_RANGE_DRIVER='$(abs_top_builddir)/tests/refchip/range_driver'; export REFCHIP_RANGE_DRIVER; \
	REFCHIP_CALLS='$(abs_top_builddir)/tests/refchip/calls'; export REFCHIP_CALLS; \
	REFCHIP_INTERFACE='$(abs_top_builddir)/tests/refchip/interface'; export REFCHIP_INTERFACE; \
	REFCHIP_DRIVER='$(abs_top_builddir)/tests/refchip/driver'; export REFCHIP_DRIVER; \
	REFCHIP_UNFRIENDLY='$(abs_top_builddir)/tests/refchip/unfriendly'; export REFCHIP_UNFRIENDLY; \
	OPPROF_INJECT_LIBRARY='$(abs_top_builddir)/inject/.libs/libopprof-inject.so'; export OPPROF_INJECT_LIBRARY;

refchip_live_tests = tests/refchip/test_310p.sh tests/refchip/test_advice.sh tests/refchip/test_board_faults.sh tests/refchip/test_faults.sh tests/refchip/test_calls.sh tests/refchip/test_config.sh tests/refchip/test_live.sh tests/refchip/test_board.sh tests/refchip/test_injection.sh tests/refchip/test_instrument.sh tests/refchip/test_interface.sh tests/refchip/test_mc2.sh tests/refchip/test_monitors.sh \
	tests/refchip/test_phase_errors.sh tests/refchip/test_phase_ends.sh tests/refchip/test_phase_channels.sh tests/refchip/test_phase_guests.sh tests/refchip/test_phase_ranks.sh tests/refchip/test_phase_waits.sh tests/refchip/test_protocol.sh tests/refchip/test_operands.sh tests/refchip/test_traces.sh tests/refchip/test_warps.sh tests/refchip/test_range.sh tests/refchip/test_screens.sh tests/refchip/test_second_user.sh tests/refchip/test_same.sh tests/refchip/test_series.sh tests/refchip/test_missing.sh tests/refchip/test_socket_fuzz.sh tests/refchip/test_strangers.sh tests/refchip/test_unfriendly.sh
refchip_scripts = tests/refchip/test_facts.sh tests/refchip/test_operators.sh tests/refchip/test_profiling.sh
dist_check_SCRIPTS += $(refchip_scripts) $(refchip_live_tests)
# Programs that start others run on no emulator. A library with a sanitizer in it cannot be preloaded into
# programs without one, such as the shells of these tests.
if !EMULATED
TESTS += $(refchip_scripts)
if !SANITIZE
TESTS += $(refchip_live_tests)
endif
# With its library in front it can be: then both sides of the socket are watched. What the machine's programs leave unfreed
# is left out by their paths.
if HAVE_SANITIZER_RUNTIME
TESTS += $(refchip_live_tests)
AM_TESTS_ENVIRONMENT += \
	case " $(refchip_live_tests) " in *" $$f "*) \
		LD_PRELOAD='$(SANITIZER_RUNTIME)'; ASAN_OPTIONS="$$ASAN_OPTIONS:verify_asan_link_order=0:handle_segv=0"; \
		LSAN_OPTIONS='print_suppressions=0:suppressions=$(abs_top_srcdir)/tests/refchip/machine.supp'; \
		export LD_PRELOAD ASAN_OPTIONS LSAN_OPTIONS;; \
	esac;
endif
endif

# The same functions in other libraries, as other toolkits have them.
REFCHIP_LAYOUT_LDFLAGS = $(REFCHIP_LDFLAGS) -rpath /nowhere
check_LTLIBRARIES += tests/refchip/acl_rt_impl/libruntime.la tests/refchip/acl_rt_impl/libacl_rt_impl.la tests/refchip/acl_rt_impl/libascendcl.la
tests_refchip_acl_rt_impl_libruntime_la_SOURCES = $(refchip_runtime_sources)
tests_refchip_acl_rt_impl_libruntime_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_acl_rt_impl_libruntime_la_CFLAGS = $(REFCHIP_CFLAGS)
tests_refchip_acl_rt_impl_libruntime_la_LDFLAGS = $(REFCHIP_LAYOUT_LDFLAGS) -Wl,-Bsymbolic
tests_refchip_acl_rt_impl_libruntime_la_LIBADD = refchip/libprofapi.la refchip/libpem_davinci.la
tests_refchip_acl_rt_impl_libacl_rt_impl_la_SOURCES = $(refchip_acl_sources)
tests_refchip_acl_rt_impl_libacl_rt_impl_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_acl_rt_impl_libacl_rt_impl_la_CFLAGS = $(REFCHIP_CFLAGS)
tests_refchip_acl_rt_impl_libacl_rt_impl_la_LDFLAGS = $(REFCHIP_LAYOUT_LDFLAGS) -Wl,-Bsymbolic
tests_refchip_acl_rt_impl_libacl_rt_impl_la_LIBADD = tests/refchip/acl_rt_impl/libruntime.la
tests_refchip_acl_rt_impl_libascendcl_la_SOURCES = refchip/runtime/ascendcl.c
tests_refchip_acl_rt_impl_libascendcl_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_acl_rt_impl_libascendcl_la_CFLAGS = $(REFCHIP_CFLAGS)
tests_refchip_acl_rt_impl_libascendcl_la_LDFLAGS = $(REFCHIP_LAYOUT_LDFLAGS)
tests_refchip_acl_rt_impl_libascendcl_la_LIBADD = tests/refchip/acl_rt_impl/libacl_rt_impl.la
check_LTLIBRARIES += tests/refchip/ascendcl_impl/libruntime.la tests/refchip/ascendcl_impl/libascendcl_impl.la tests/refchip/ascendcl_impl/libascendcl.la
tests_refchip_ascendcl_impl_libruntime_la_SOURCES = $(refchip_runtime_sources)
tests_refchip_ascendcl_impl_libruntime_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_ascendcl_impl_libruntime_la_CFLAGS = $(REFCHIP_CFLAGS)
tests_refchip_ascendcl_impl_libruntime_la_LDFLAGS = $(REFCHIP_LAYOUT_LDFLAGS) -Wl,-Bsymbolic
tests_refchip_ascendcl_impl_libruntime_la_LIBADD = refchip/libprofapi.la refchip/libpem_davinci.la
tests_refchip_ascendcl_impl_libascendcl_impl_la_SOURCES = $(refchip_acl_sources)
tests_refchip_ascendcl_impl_libascendcl_impl_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_ascendcl_impl_libascendcl_impl_la_CFLAGS = $(REFCHIP_CFLAGS)
tests_refchip_ascendcl_impl_libascendcl_impl_la_LDFLAGS = $(REFCHIP_LAYOUT_LDFLAGS) -Wl,-Bsymbolic
tests_refchip_ascendcl_impl_libascendcl_impl_la_LIBADD = tests/refchip/ascendcl_impl/libruntime.la
tests_refchip_ascendcl_impl_libascendcl_la_SOURCES = refchip/runtime/ascendcl.c
tests_refchip_ascendcl_impl_libascendcl_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_ascendcl_impl_libascendcl_la_CFLAGS = $(REFCHIP_CFLAGS)
tests_refchip_ascendcl_impl_libascendcl_la_LDFLAGS = $(REFCHIP_LAYOUT_LDFLAGS)
tests_refchip_ascendcl_impl_libascendcl_la_LIBADD = tests/refchip/ascendcl_impl/libascendcl_impl.la
# A driver without profiling channels.
check_LTLIBRARIES += tests/refchip/no_channels/libascend_hal.la
tests_refchip_no_channels_libascend_hal_la_SOURCES = $(refchip_libascend_hal_la_SOURCES)
tests_refchip_no_channels_libascend_hal_la_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_no_channels_libascend_hal_la_CFLAGS = $(REFCHIP_CFLAGS)
tests_refchip_no_channels_libascend_hal_la_LDFLAGS = $(REFCHIP_LAYOUT_LDFLAGS) -export-symbols-regex '^hal'
tests_refchip_no_channels_libascend_hal_la_LIBADD = refchip/libpem_davinci.la
check_PROGRAMS += tests/refchip/driver tests/refchip/unfriendly tests/refchip/board_driver tests/refchip/calls tests/refchip/interface tests/refchip/range_driver
tests_refchip_range_driver_SOURCES = tests/refchip/range_driver.c
tests_refchip_range_driver_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_range_driver_LDADD = $(refchip_program_libs)
tests_refchip_range_driver_DEPENDENCIES = $(refchiplib_LTLIBRARIES)
tests_refchip_interface_SOURCES = tests/refchip/interface.c
tests_refchip_interface_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_interface_LDADD = $(refchip_program_libs)
tests_refchip_interface_DEPENDENCIES = $(refchiplib_LTLIBRARIES)
tests_refchip_calls_SOURCES = tests/refchip/calls.c
tests_refchip_calls_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_calls_LDADD = $(refchip_program_libs)
tests_refchip_calls_DEPENDENCIES = $(refchiplib_LTLIBRARIES)
tests_refchip_board_driver_SOURCES = tests/refchip/board_driver.c
tests_refchip_board_driver_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_board_driver_LDADD = $(refchip_program_libs)
tests_refchip_board_driver_DEPENDENCIES = $(refchiplib_LTLIBRARIES)
refchip_add_once = tests/refchip/add_once.c tests/refchip/add_once.h
tests_refchip_driver_SOURCES = tests/refchip/driver.c $(refchip_add_once)
tests_refchip_driver_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_driver_LDADD = refchip/.libs/libruntime.so refchip/.libs/libprofapi.so refchip/.libs/libascend_hal.so refchip/.libs/libpem_davinci.so
tests_refchip_driver_DEPENDENCIES = $(refchiplib_LTLIBRARIES)
tests_refchip_unfriendly_SOURCES = tests/refchip/unfriendly.c $(refchip_add_once)
tests_refchip_unfriendly_CPPFLAGS = $(REFCHIP_CPPFLAGS)
tests_refchip_unfriendly_LDADD = $(tests_refchip_driver_LDADD)
tests_refchip_unfriendly_DEPENDENCIES = $(refchiplib_LTLIBRARIES)
EXTRA_DIST += tests/refchip/facts.py tests/refchip/facts/layouts.csv tests/refchip/facts/signatures.csv tests/refchip/README.md tests/refchip/machine.supp tests/refchip/echo.s tests/refchip/double.s tests/refchip/gather.s tests/refchip/socket_fuzz.py tests/refchip/strangers.py tests/refchip/talk.py tests/refchip/walk.py tests/refchip/advice.py tests/refchip/old_logs.py tests/refchip/board_account.py tests/refchip/instrument_account.py tests/refchip/operand_account.py tests/refchip/phase_faults.py tests/refchip/series_account.py tests/refchip/views_account.py tests/refchip/warp_account.py

EXTRA_PROGRAMS += bench/bench_restore
BENCHES += restore=bench/bench_restore
bench_bench_restore_SOURCES = bench/bench_restore.c inject/ascend/memory.c inject/link/forks.c $(BENCH_SOURCES)
bench_bench_restore_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_restore_LDADD = $(BENCH_LIBS)

EXTRA_PROGRAMS += bench/bench_drain
BENCHES += drain=bench/bench_drain
bench_bench_drain_SOURCES = bench/bench_drain.c inject/ascend/channels.c $(BENCH_SOURCES)
bench_bench_drain_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_drain_LDADD = $(BENCH_LIBS)

EXTRA_PROGRAMS += bench/bench_live
BENCHES += live=bench/bench_live
bench_bench_live_SOURCES = bench/bench_live.c $(BENCH_TREE_SOURCES)
bench_bench_live_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_live_LDADD = $(BENCH_LIBS)

if HAVE_CHECK
check_PROGRAMS += tests/refchip/test_host
TESTS += tests/refchip/test_host
tests_refchip_test_host_SOURCES = tests/refchip/test_host.c refchip/host/profapi.c refchip/host/ascend_dump.c refchip/host/dcmi.c
tests_refchip_test_host_CPPFLAGS = $(TEST_CPPFLAGS)
tests_refchip_test_host_LDADD = $(TEST_LIBS) refchip/libascend_hal.la refchip/libpem_davinci.la
# In an emulator it runs without libtool's script.
tests_refchip_test_host_LDFLAGS = $(AM_LDFLAGS) -Wl,-rpath,$(abs_top_builddir)/refchip/.libs
check_PROGRAMS += tests/refchip/test_l2
TESTS += tests/refchip/test_l2
tests_refchip_test_l2_SOURCES = tests/refchip/test_l2.c refchip/chip/l2.c
tests_refchip_test_l2_CPPFLAGS = $(TEST_CPPFLAGS)
tests_refchip_test_l2_LDADD = $(TEST_LIBS)
endif
