# SPDX-License-Identifier: Apache-2.0
# Debian packages, the portable tar file and releases.
EXTRA_DIST += CONTRIBUTING.md CITATION.cff scripts/package.sh scripts/portable.sh scripts/portable-run.sh scripts/release.sh \
	$(addprefix debian/,changelog control copyright libopprof-dev.install libopprof-dev.manpages libopprof0.install opprof-doc.install \
	opprof-refchip.install opprof-refchip.lintian-overrides opprof-refchip.manpages \
	opprof.install opprof.lintian-overrides opprof.manpages python3-opprof.install rules source/format symbols_of_maps.py)
dist_check_SCRIPTS += tests/packages/test_packages.sh
TESTS += tests/packages/test_packages.sh
