"""Heap sizes from the flight recorder."""

import json
import unittest

from harness import recording


def event(moment, used):
    space = {"start": 0, "committedEnd": 1, "committedSize": 300, "reservedEnd": 2, "reservedSize": 500}
    return {"type": "jdk.GCHeapSummary", "values": {"startTime": moment, "gcId": 1, "heapSpace": space, "heapUsed": used}}


class RecordingTest(unittest.TestCase):
    def parse(self, *events):
        return recording.parse(json.dumps({"recording": {"events": list(events)}}))

    def test_sizes_are_read_and_put_into_order(self):
        later, earlier = event("2026-11-22T13:00:01.500000000Z", 20), event("2026-11-22T13:00:00.250000001Z", 200)
        heaps = self.parse(later, earlier)
        self.assertEqual([(heap.used, heap.committed, heap.reserved) for heap in heaps], [(200, 300, 500), (20, 300, 500)])
        self.assertAlmostEqual(heaps[1].moment - heaps[0].moment, 1.25, places=3)

    def test_moments_with_another_zone_are_the_same_moments(self):
        here, there = self.parse(event("2026-11-22T13:00:00Z", 1), event("2026-11-22T14:00:00.0+01:00", 2))
        self.assertEqual(here.moment, there.moment)

    def test_no_collection_is_no_error(self):
        self.assertEqual(self.parse(), [])


if __name__ == "__main__":
    unittest.main()
