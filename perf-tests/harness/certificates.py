"""Certificates for one run, created with openssl, so that the repository contains no secret or expiring files."""

import subprocess

from . import tools

_NAMES = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]


def self_signed(workspace):
    """(chain, key): files with a self-signed certificate for localhost."""
    chain, key = workspace.path("chain.pem"), workspace.path("key.pem")
    command = [tools.path("openssl"), "req", "-x509", *_KEY, *_NAMES, "-keyout", key, "-out", chain]
    subprocess.run(command, check=True, capture_output=True)
    return chain, key
