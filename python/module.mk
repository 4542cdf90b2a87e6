# SPDX-License-Identifier: Apache-2.0
# The Python module. pip and the package python3-opprof install it, not make.
EXTRA_DIST += python/pyproject.toml python/wheel_backend.py python/README.md python/opprof/py.typed \
	$(addprefix python/opprof/,__init__.py _command.py _database.py _errors.py _notebook.py _results.py _rows.py _runs.py)
python_scripts = tests/python/test_python.sh
dist_check_SCRIPTS += $(python_scripts)
dist_check_DATA += tests/python/conftest.py tests/python/notebook_page.py tests/python/test_results.py tests/python/test_runs.py
TESTS += $(python_scripts)
