"""nginx and HAProxy, built from their sources in a given directory."""

import hashlib
import os
import re
import shutil
import subprocess

from . import tools

_TARGET = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "target", "peers")


class Source:
    """One program: the directory of its sources, the pattern of its version, and the commands that build it."""

    def __init__(self, name, sources, version_file, version_pattern, commands, program):
        self.name = name
        self._sources = sources
        self._version_file = version_file
        self._version_pattern = version_pattern
        self._commands = commands
        self._program = program

    def version(self, directory):
        path = os.path.join(directory, self._version_file)
        if not os.path.isfile(path):
            raise tools.Refused(f"{path} is missing (expected: the sources of {self.name} in {directory})")
        with open(path, encoding="utf-8") as file:
            found = re.search(self._version_pattern, file.read(), re.MULTILINE)
        if found is None:
            raise tools.Refused(f"{path}: no version of {self.name} found")
        return found.group(1)

    def build(self, directory):
        """Builds a copy of the sources, unless this is already done; returns the path of the program."""
        known = VERSIONS[self.name]
        version = self.version(directory)
        if version not in known:
            raise tools.Refused(f"{directory}: {self.name} {version} (expected: {' or '.join(known)})")
        seen = digest(directory, self._sources)
        if seen != known[version]:
            raise tools.Refused(f"{directory}: the checksum of {self.name} {version} is {seen} (expected: {known[version]})")
        target = os.path.join(_TARGET, f"{self.name}-{version}")
        program = os.path.join(target, self._program)
        if not os.path.exists(program):
            print(f"building {self.name} {version} in {os.path.relpath(target)}", flush=True)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(directory, target, ignore=shutil.ignore_patterns(".git"))
            for command in self._commands:
                done = subprocess.run(
                    command, cwd=target, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
                )
                if done.returncode:
                    last = "\n".join((done.stdout + done.stderr).splitlines()[-5:])
                    raise tools.Refused(f"{self.name} {version}: {' '.join(command)} failed:\n{last}")
        return program


def digest(directory, sources):
    """SHA-256 of the names and contents of all files of C under ``sources``."""
    names = []
    for place, _, files in os.walk(os.path.join(directory, sources)):
        names += [os.path.relpath(os.path.join(place, name), directory) for name in files if name.endswith((".c", ".h"))]
    whole = hashlib.sha256()
    for name in sorted(names):
        with open(os.path.join(directory, name), "rb") as file:
            whole.update(f"{name} {hashlib.sha256(file.read()).hexdigest()}\n".encode())
    return whole.hexdigest()


_NGINX_MODULES = ("--with-http_ssl_module", "--with-http_v2_module", "--without-http_rewrite_module")
SOURCES = (
    Source(
        "nginx",
        "src",
        os.path.join("src", "core", "nginx.h"),
        r'^#define NGINX_VERSION\s+"(\S+)"',
        (
            ["auto/configure", "--with-cc-opt=-O2", *_NGINX_MODULES],
            ["make", "-j2"],
        ),
        os.path.join("objs", "nginx"),
    ),
    Source(
        "haproxy",
        "src",
        "VERSION",
        r"^(\S+)",
        (["make", "-j2", "TARGET=linux-glibc", "USE_OPENSSL=1"],),
        "haproxy",
    ),
)


def build(directory):
    """The programs by name: each is built from the subdirectory of this name."""
    tools.require("make", "cc")
    return {source.name: source.build(os.path.join(directory, source.name)) for source in SOURCES}


# The digest of the sources by version. A new version is added here after a look at its sources.
VERSIONS = {
    # Commit 3f6f7824 of its repository.
    "nginx": {"1.31.5": "488100e03d947f55de3ec90690142f35dc6d85b702854fb740d56d177b90e99e"},
    # Tag v3.5-dev5 of its repository.
    "haproxy": {"3.5-dev5": "3b3e3996b2fb6412afeafec1b9d09c50208d7b76dbb712007cd6801c51ded075"},
}
