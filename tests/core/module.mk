# SPDX-License-Identifier: Apache-2.0
# Tests of the core, which need nothing but the core.
CORE_TEST_LIBS = core/.libs/libcore.a $(CORE_OUTSIDE_LIBS) $(TEST_CHECK_LIBS)
include tests/core/base.mk
include tests/core/stream.mk
include tests/core/pipeline.mk
include tests/core/runner.mk
