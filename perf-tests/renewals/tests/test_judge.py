"""Detection of new connections with outdated or unknown certificates."""

import unittest

from renewals import judge

_SEEN = {"a": [(10.0, 1), (20.0, 2)], "b": [(10.0, 7)]}


class StaleTest(unittest.TestCase):
    def test_the_old_one_is_right_until_the_new_one_is_known(self):
        rows = [("h2", "a", 19.9, 1, False), ("h2", "a", 20.1, 2, False)]
        self.assertEqual([], judge.stale(rows, _SEEN))

    def test_the_old_one_is_wrong_after_that(self):
        row = ("h2", "a", 20.1, 1, False)
        self.assertEqual([row], judge.stale([row], _SEEN))

    def test_the_new_one_may_come_before_it_is_known(self):
        self.assertEqual([], judge.stale([("h2", "a", 15.0, 2, False)], _SEEN))

    def test_resumed_sessions_are_as_old_as_they_are(self):
        self.assertEqual([], judge.stale([("h2", "a", 30.0, 1, True)], _SEEN))

    def test_names_have_certificates_of_their_own(self):
        self.assertEqual([], judge.stale([("h2", "b", 30.0, 7, False)], _SEEN))


class UnknownTest(unittest.TestCase):
    def test_another_names_certificate_is_wrong(self):
        row = ("h2", "b", 1.0, 2, False)
        self.assertEqual([row], judge.unknown([row, ("h2", "a", 1.0, 2, False)], {"a": {1, 2}, "b": {7}}))


if __name__ == "__main__":
    unittest.main()
