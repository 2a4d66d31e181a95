"""Builds the wheel and the source archive with only the standard library (PEP 517).

Builds are reproducible: names are sorted, times fixed and users omitted. `python build_backend.py
FOLDER` writes both files to FOLDER.
"""

import base64
import gzip
import hashlib
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The oldest time that a zip file can store.
DATE = (1980, 1, 1, 0, 0, 0)
SECONDS = 315532800


def _project():
    """Parses the lists and strings of [project] by hand, because Python 3.9 has no tomllib."""
    text = (HERE / "pyproject.toml").read_text("utf-8")
    section = text.split("[project]\n")[1].split("\n[")[0]
    found = dict(re.findall(r'^([\w-]+) = "([^"]*)"$', section, re.M))
    lists = re.findall(r"^([\w-]+) = \[([^\]]*)\]", section, re.M)
    found.update({name: re.findall(r'"([^"]*)"', items) for name, items in lists})
    version = (HERE / "src/svc/_version.py").read_text("utf-8")
    found["version"] = re.search(r'__version__ = "([^"]+)"', version).group(1)
    return found


def _license():
    """The license of all clients: one folder up, or beside this file in a source archive."""
    own = HERE / "LICENSE"
    return (own if own.exists() else HERE.parent / "LICENSE").read_bytes()


def _metadata(project):
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License: {project['license']}",
        f"Keywords: {','.join(project['keywords'])}",
        *(f"Classifier: {one}" for one in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
        "License-File: LICENSE",
        "",
        (HERE / "README.md").read_text("utf-8"),
    ]
    return "\n".join(lines).encode()


def _sources():
    """The package's files, by their path in the package."""
    root = HERE / "src"
    files = [file for file in root.rglob("*") if file.suffix == ".py" or file.name == "py.typed"]
    sources = {str(file.relative_to(root).as_posix()): file.read_bytes() for file in sorted(files)}
    return {**sources, "svc/vectors.json": _vectors()}


def _vectors():
    """The signature vectors shared by all libraries; a source archive has its own copy."""
    own = HERE / "src/svc/vectors.json"
    shared = HERE.parent.parent / "contract/vectors/webhook-signatures.json"
    return (own if own.exists() else shared).read_bytes()


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _name(project):
    return f"{project['name'].replace('-', '_')}-{project['version']}"


def _info(project):
    wheel = "Wheel-Version: 1.0\nGenerator: svc-sdk\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    folder = f"{_name(project)}.dist-info"
    return folder, {
        f"{folder}/METADATA": _metadata(project),
        f"{folder}/WHEEL": wheel.encode(),
        f"{folder}/LICENSE": _license(),
    }


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _project()
    folder, info = _info(project)
    files = {**_sources(), **info}
    rows = [f"{name},sha256={_digest(body)},{len(body)}" for name, body in files.items()]
    files[f"{folder}/RECORD"] = "\n".join([*rows, f"{folder}/RECORD,,", ""]).encode()
    name = f"{_name(project)}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, body in files.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, body)
    return name


def build_sdist(sdist_directory, config_settings=None):
    project = _project()
    own = ["CHANGELOG.md", "README.md", "build_backend.py", "pyproject.toml"]
    files = {name: (HERE / name).read_bytes() for name in own}
    files.update({f"src/{name}": body for name, body in _sources().items()})
    files.update({"LICENSE": _license(), "PKG-INFO": _metadata(project)})
    name = f"{_name(project)}.tar.gz"
    with open(Path(sdist_directory) / name, "wb") as target:
        with gzip.GzipFile("", "wb", fileobj=target, mtime=SECONDS) as packed:
            with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
                for path, body in sorted(files.items()):
                    entry = tarfile.TarInfo(f"{_name(project)}/{path}")
                    entry.size, entry.mtime, entry.mode = len(body), SECONDS, 0o644
                    archive.addfile(entry, io.BytesIO(body))
    return name


if __name__ == "__main__":
    output = Path(sys.argv[1])
    output.mkdir(parents=True, exist_ok=True)
    for made in (build_wheel(output), build_sdist(output)):
        print(made)
