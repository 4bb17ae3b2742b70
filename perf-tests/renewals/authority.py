"""The certificate authority of a run, and the certificate and key pairs that it writes to disk."""

import os
import subprocess

from harness import tools

_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]


class Authority:
    def __init__(self, workspace):
        self.workspace = workspace
        self.certificate, self.key = workspace.path("ca.pem"), workspace.path("ca.key")
        _openssl("-x509", *_KEY, "-subj", "/CN=Authority of the run", "-keyout", self.key, "-out", self.certificate)

    def issue(self, name, serial, chain, key):
        """Writes a new key and its certificate for ``name``."""
        said = ["-subj", "/CN=" + name.replace("*.", ""), "-addext", f"subjectAltName=DNS:{name}"]
        by = ["-CA", self.certificate, "-CAkey", self.key, "-set_serial", str(serial)]
        _openssl("-x509", *_KEY, *said, *by, "-keyout", key, "-out", chain)


class Site:
    """One pair of files that the gateway watches, each replaced by a rename."""

    def __init__(self, authority, name, asked):
        self.authority, self.name, self.asked = authority, name, asked
        stem = authority.workspace.path(f"{asked}")
        self.chain, self.key = f"{stem}.pem", f"{stem}.key"
        # Serial number of the current certificate on disk.
        self.serial = 0

    def configuration(self):
        return {"chain": self.chain, "key": self.key}

    def renew(self, serial, key_first=True):
        """Replaces both files, one after the other."""
        self.authority.issue(self.name, serial, self.chain + ".new", self.key + ".new")
        self.serial = serial
        for file in sorted((self.chain, self.key), key=lambda one: (one == self.key) != key_first):
            os.rename(file + ".new", file)

    def spoil(self, serial):
        """Installs a certificate that does not match the key; returns a function that installs the matching key."""
        self.authority.issue(self.name, serial, self.chain + ".new", self.key + ".new")
        os.rename(self.chain + ".new", self.chain)

        def mend():
            os.rename(self.key + ".new", self.key)
            self.serial = serial

        return mend


def _openssl(*options):
    done = subprocess.run([tools.path("openssl"), "req", *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise tools.Refused(f"openssl req failed (version 3 is needed): {done.stderr.strip()}")
