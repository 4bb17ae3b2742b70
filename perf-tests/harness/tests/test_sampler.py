"""Samples and the values derived from them."""

import threading
import unittest

from harness.sampler import Peak, Watch


class Script:
    """Returns one value after another, the last one forever; an exception among them is raised."""

    def __init__(self, *values):
        self._values = list(values)
        self.looks = 0
        self.told = threading.Event()

    def __call__(self):
        self.looks += 1
        if len(self._values) > 1:
            value = self._values.pop(0)
        else:
            value = self._values[0]
            self.told.set()
        if isinstance(value, Exception):
            raise value
        return value


def look(kind, *values):
    script = Script(*values)
    with kind(script, every=0.001) as looks:
        script.told.wait(10)
    return looks, script


class SamplerTest(unittest.TestCase):
    def test_the_highest_value_is_kept(self):
        peak, _ = look(Peak, 1, 7, 3)
        self.assertEqual(peak.value, 7)

    def test_every_value_is_kept_in_its_order_with_its_moment(self):
        watch, _ = look(Watch, 1, 7, 3)
        moments, values = zip(*watch.seen)
        self.assertEqual(values[:3], (1, 7, 3))
        self.assertEqual(list(moments), sorted(moments))

    def test_a_look_that_failed_is_one_look_less(self):
        watch, _ = look(Watch, 1, ConnectionRefusedError(), ValueError(), 3)
        self.assertEqual([value for _, value in watch.seen][:2], [1, 3])

    def test_what_has_ended_is_not_looked_at_any_more(self):
        peak, script = look(Peak, 5, FileNotFoundError())
        self.assertEqual((peak.value, script.looks), (5, 2))

    def test_what_could_never_be_read_is_nothing(self):
        peak, _ = look(Peak, ProcessLookupError())
        self.assertEqual(peak.value, 0)


if __name__ == "__main__":
    unittest.main()
