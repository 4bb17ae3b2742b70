"""Highest value of something that is looked at again and again while something else runs."""

import threading


class Peak:
    """``with Peak(read) as peak: …`` and then ``peak.value``; 0 if it could never be read."""

    def __init__(self, read, every=0.2):
        self.value = 0
        self._read = read
        self._every = every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_failure):
        self._over.set()
        self._thread.join()

    def _watch(self):
        while True:
            try:
                self.value = max(self.value, self._read())
            except (FileNotFoundError, ProcessLookupError):
                return  # what was watched has ended
            if self._over.wait(self._every):
                return
