"""Samples a value while other code runs."""

import threading
import time


class _Looks:
    """Samples immediately, then several times a second during the ``with`` block, on its own thread."""

    def __init__(self, read, every=0.2):
        self._read = read
        self._every = every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_failure):
        self._over.set()
        self._thread.join()

    def _look(self):
        while True:
            try:
                self._saw(self._read())
            except (FileNotFoundError, ProcessLookupError):
                return  # the sampled process has ended
            except (OSError, EOFError, ValueError, LookupError):
                pass  # a failed sample is skipped
            if self._over.wait(self._every):
                return

    def _saw(self, value):
        raise NotImplementedError


class Peak(_Looks):
    """``with Peak(read) as peak: …`` and then ``peak.value``, the maximum; 0 if no sample succeeded."""

    def __init__(self, read, every=0.2):
        super().__init__(read, every)
        self.value = 0

    def _saw(self, value):
        self.value = max(self.value, value)


class Watch(_Looks):
    """``with Watch(read) as watch: …`` and then ``watch.seen``: (time, sample)."""

    def __init__(self, read, every=0.2):
        super().__init__(read, every)
        self.seen = []

    def _saw(self, value):
        self.seen.append((time.monotonic(), value))
