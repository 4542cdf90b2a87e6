# SPDX-License-Identifier: Apache-2.0
"""Makes the wheel of the module with the standard library alone (PEP 517 and 660).

A new virtual environment has no package `wheel`, and from Python 3.12 on no setuptools, so that
with those `pip install ./python` would need a network.
"""

import base64
import hashlib
import io
import pathlib
import re
import tarfile
import typing
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE / "opprof"
# In the tree and in an archive of sources the licence lies above.
LICENCES = (HERE / "LICENSE", HERE.parent / "LICENSES" / "Apache-2.0.txt")


def _version() -> str:
    text = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise SystemExit("opprof/__init__.py has no __version__")
    return found.group(1)


def _licence() -> pathlib.Path:
    return next(path for path in LICENCES if path.exists())


def _metadata() -> str:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    return (
        f"Metadata-Version: 2.1\nName: opprof\nVersion: {_version()}\n"
        "Summary: Runs opprof, and reads its results\nLicense: Apache-2.0\n"
        "Requires-Python: >=3.9\nProvides-Extra: pandas\n"
        "Requires-Dist: pandas; extra == 'pandas'\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _write(directory: str, files: typing.Dict[str, bytes]) -> str:
    name = f"opprof-{_version()}-py3-none-any.whl"
    info = f"opprof-{_version()}.dist-info"
    files = dict(files)
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/LICENSE"] = _licence().read_bytes()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: opprof\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = [f"{path},sha256={_digest(data)},{len(data)}" for path, data in files.items()]
    record.append(f"{info}/RECORD,,")
    files[f"{info}/RECORD"] = ("\n".join(record) + "\n").encode()
    with zipfile.ZipFile(pathlib.Path(directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data)
    return name


def _sources() -> typing.List[pathlib.Path]:
    return sorted(path for path in PACKAGE.iterdir() if path.suffix in (".py", ".typed"))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The module as a wheel in `wheel_directory`; its name."""
    return _write(wheel_directory, {f"opprof/{p.name}": p.read_bytes() for p in _sources()})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """For `pip install -e`: a wheel that leads to this folder."""
    return _write(wheel_directory, {"opprof.pth": f"{HERE}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    """An archive of the sources, of which the wheel can be made; its name."""
    root = f"opprof-{_version()}"
    own = [HERE / name for name in ("pyproject.toml", "wheel_backend.py", "README.md")]
    with tarfile.open(pathlib.Path(sdist_directory, f"{root}.tar.gz"), "w:gz") as archive:
        for path in own + _sources():
            archive.add(path, f"{root}/{path.relative_to(HERE)}")
        archive.add(_licence(), f"{root}/LICENSE")
        with_metadata = tarfile.TarInfo(f"{root}/PKG-INFO")
        data = _metadata().encode()
        with_metadata.size = len(data)
        archive.addfile(with_metadata, io.BytesIO(data))
    return f"{root}.tar.gz"
