"""A temporary directory and the processes started in it; on exit ends exactly those and removes the directory."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from . import proc, tools

_ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Process:
    """One process started here, with its output in a file."""

    def __init__(self, name, popen, log):
        self.name = name
        self.popen = popen
        self.log = log
        self.started = time.monotonic()

    @property
    def pid(self):
        return self.popen.pid

    def family(self):
        return proc.family(self.pid)

    def running(self):
        return self.popen.poll() is None

    def log_tail(self, lines=20):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return "".join(log.readlines()[-lines:]).rstrip()

    def check_running(self):
        if not self.running():
            raise tools.Refused(
                f"{self.name} ended with code {self.popen.returncode} while it was needed:\n{self.log_tail()}"
            )

    def ask(self, *words):
        """Sends a line to a talking process; returns the JSON of the line that it responds with."""
        self.check_running()
        self.popen.stdin.write(" ".join(map(str, words)) + "\n")
        self.popen.stdin.flush()
        told = self.popen.stdout.readline()
        if not told:
            self.wait(5)
            self.check_running()
            raise tools.Refused(f"{self.name} printed nothing:\n{self.log_tail()}")
        return json.loads(told)

    def signal(self, number):
        self.popen.send_signal(number)

    def wait(self, seconds):
        """The exit code, or None if it is still running after the timeout."""
        try:
            return self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def end(self):
        if not self.running():
            return
        family = self.family()
        self.popen.terminate()
        if self.wait(5) is None:
            # A killed parent would leave its children running.
            for pid in family:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            self.popen.wait()


class Workspace:
    """``with Workspace() as workspace:`` ends on SIGTERM and SIGHUP as cleanly as on Ctrl-C."""

    def __init__(self, keep=False):
        self.keep = keep
        self.directory = None
        self._processes = []

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="lychgate-perf-")
        # SIGINT too: a shell starts its background jobs with SIGINT ignored.
        for number in _ENDINGS:
            signal.signal(number, _interrupt)
        return self

    def __exit__(self, *_failure):
        for number in _ENDINGS:
            signal.signal(number, signal.SIG_IGN)  # a second signal must not leave processes running
        for process in reversed(self._processes):
            process.end()
        if self.keep:
            print(f"configurations and logs kept in {self.directory}")
        else:
            shutil.rmtree(self.directory, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.directory, *parts)

    def subdirectory(self, name):
        directory = self.path(name)
        os.makedirs(directory, exist_ok=True)
        return directory

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def start(self, name, command, talking=False):
        """``talking``: the caller uses its standard input and output; only its errors go to the log."""
        log_path = self.path(f"{name}.log")
        with open(log_path, "ab") as log:
            popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE if talking else subprocess.DEVNULL,
                stdout=subprocess.PIPE if talking else log,
                stderr=log,
                text=talking,
                cwd=self.directory,
                # Detached from the terminal: Ctrl-C reaches these scripts only, and they end the others in order.
                start_new_session=True,
            )
        process = Process(name, popen, log_path)
        self._processes.append(process)
        return process


def _interrupt(_number, _frame):
    raise KeyboardInterrupt
