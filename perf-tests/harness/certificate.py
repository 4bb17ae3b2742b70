"""A certificate for 127.0.0.1, created for each run."""

import subprocess
from dataclasses import dataclass

from . import tools


@dataclass(frozen=True)
class Certificate:
    chain: str
    key: str
    # Both in one file, as HAProxy requires.
    both: str


_ECDSA = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


def make(workspace, stem="site", key_options=_ECDSA):
    """``stem`` of the file names; ``key_options`` for openssl select the key type."""
    chain, key, both = (workspace.path(name) for name in (f"{stem}.pem", f"{stem}.key", f"{stem}-both.pem"))
    fresh = [*key_options, "-nodes", "-days", "2"]
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    command = [tools.path("openssl"), "req", "-x509", *fresh, *name, "-keyout", key, "-out", chain]
    subprocess.run(command, check=True, capture_output=True)
    with open(both, "w", encoding="utf-8") as file:
        for part in (chain, key):
            with open(part, encoding="utf-8") as text:
                file.write(text.read())
    return Certificate(chain, key, both)
