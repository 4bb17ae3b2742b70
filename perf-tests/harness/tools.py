"""The programs the scripts call, and the Debian packages that bring them."""

import os
import shutil
import subprocess
import sys

PACKAGES = {
    "ab": "apache2-utils",
    "chromium": "chromium",
    "curl": "curl",
    "go": "golang-go",
    "h2load": "nghttp2-client",
    "haproxy": "haproxy",
    "mvn": "maven",
    "nginx": "nginx",
    "node": "nodejs",
    "openssl": "openssl",
    "slowhttptest": "slowhttptest",
    "strace": "strace",
    "taskset": "util-linux",
    "varnishtest": "varnish",
    "wrk": "wrk",
}


class Refused(Exception):
    """The scripts cannot do what was asked here; the message says what would help."""


def find(name):
    # Servers live in sbin, which an ordinary user's PATH leaves out.
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin", "/sbin"])
    return shutil.which(name, path=places)


def require(*names):
    missing = [name for name in names if find(name) is None]
    if missing:
        packages = sorted({PACKAGES.get(name, name) for name in missing})
        raise Refused(
            f"not found: {', '.join(missing)}. On Debian or Ubuntu: apt-get install {' '.join(packages)}"
        )


def path(name):
    require(name)
    return find(name)


def output(command):
    """Runs a program to its end and returns what it wrote to standard output."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Refused(f"{os.path.basename(command[0])} failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def run_main(main):
    """Runs main() as a script: refusals become one line and exit code 2."""
    try:
        sys.exit(main())
    except Refused as refusal:
        print(f"{os.path.basename(sys.argv[0])}: {refusal}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("interrupted; everything started here has been ended", file=sys.stderr)
        sys.exit(130)
