"""Classifies failed requests by the records of client, origins and access log, and decides whether a failure is allowed.
The origins' records decide: docs/resilience.md must forbid a retry, or the budget must be exhausted."""

from collections import Counter, defaultdict, namedtuple

# Seconds around the kill of an origin in which its connections end.
_DYING = 1.0
# The window of the budget in seconds; and its minimum use, because requests begin and end at different times.
_WINDOW, _NEARLY = 10, 0.9

# Errors of a GET without a further attempt: the result of its last attempt, not a rejection by the gateway.
_OF_ORIGINS = ("", "connect-refused", "connect-timeout", "origin-reset", "response-timeout")

UNEXPLAINED = "unexplained"

# By name: the failed request, and why it was not retried.
REASONS = {
    "died": "POST, its origin died with it: it may have been seen",
    "stalled": "POST that its origin has received, without a response",
    "status": "POST with a response of 500, which is passed on",
    "cut": "GET or POST, reset in mid-body: the head had gone to the client",
    "late": "POST, a sound origin was slower than one attempt may be: it has been seen",
    "budget": "GET, and no budget was left",
    "attempts": "GET, sent as often as the route allows, each time to an origin at fault",
    UNEXPLAINED: "no rule forbids to send these again",
}

# maximum attempts; timeout per attempt in seconds; (begin, end) of the fault by origin; share of the budget.
Rules = namedtuple("Rules", "attempts per_try faults budget")


class Record:
    """One request as recorded by its client, the origins (``sightings``) and the access log (``logged``)."""

    def __init__(self, request, sightings, logged, endpoint, rules):
        self.request = request
        self.sightings = sightings
        self.logged = logged
        # Number of the last attempt's origin.
        self.endpoint = endpoint
        self.rules = rules

    @property
    def ok(self):
        return self.request.outcome == "ok" and self.request.status == 200

    @property
    def attempts(self):
        return self.logged["attempts"]

    def __str__(self):
        one = self.request
        seen = ", ".join(f"origin {s.origin} at {s.moment:.2f} s ({s.mode})" for s in self.sightings) or "no origin"
        done = "never" if one.done is None else f"{one.done:.2f} s"
        return (
            f"{one.method} {one.number}, due {one.due:.2f} s, over {done}: {one.outcome}, status {one.status} {one.error}; "
            f"seen by {seen}; logged: {self.attempts} attempts, last to origin {self.endpoint}, {self.logged.get('error')}"
        )


def join(requests, sightings, logged, names, begin, rules):
    """Records in chronological order; ``names`` maps authorities to origin numbers, ``begin`` is time zero."""
    records = []
    for request in requests:
        seen = [
            one._replace(origin=int(one.origin.rpartition("-")[2]), moment=one.moment - begin)
            for one in sightings.get(request.number, ())
        ]
        log = logged.get(request.number, {"attempts": 0})
        records.append(Record(request, seen, log, names.get(log.get("endpoint")), rules))
    return records


def sort(records):
    """Records of all failed requests by reason."""
    found = defaultdict(list)
    spent = Spent(records)
    for record in records:
        if not record.ok:
            found[reason(record, spent)].append(record)
    return found


def reason(record, spent):
    request, seen = record.request, record.sightings
    if request.outcome == "cut":
        # The client has part of a response, which must be the effect of the fault.
        whole = request.status == 200 and seen and (seen[-1].mode == "cut" or _dying(record, seen[-1].origin))
        return "cut" if whole else UNEXPLAINED
    if request.outcome != "ok" or request.status < 500:
        return UNEXPLAINED
    return _post(record) if request.method == "POST" else _get(record, spent)


def _post(record):
    request, seen = record.request, record.sightings
    if len(seen) > 1:
        return UNEXPLAINED
    if request.error == "origin-reset" and _dying(record, record.endpoint):
        return "died"
    if not seen:
        return UNEXPLAINED
    mode = seen[0].mode
    if request.status == 500 and not request.error and mode == "status":
        return "status"
    if request.error == "response-timeout" and mode == "stall":
        return "stalled"
    if request.error == "response-timeout" and request.done - request.sent >= record.rules.per_try:
        return "late"
    return UNEXPLAINED


def _get(record, spent):
    if record.request.error not in _OF_ORIGINS or not all(_at_fault(record, one) for one in record.sightings):
        return UNEXPLAINED
    if record.attempts >= record.rules.attempts:
        return "attempts"
    return "budget" if spent.nearly(record.request.done) else UNEXPLAINED


def _at_fault(record, sighting):
    return sighting.mode != "ok" or _dying(record, sighting.origin)


def _dying(record, origin):
    """Whether it ended just after that origin was killed, because a killed origin can't log it."""
    if origin != 1:
        return False
    killed = record.rules.faults[origin][0]
    return killed - 0.1 <= record.request.done <= killed + _DYING


class Spent:
    """The used share of the budget at a given time."""

    def __init__(self, records):
        self._share = records[0].rules.budget if records else 0
        self._records = [(one.request.sent or one.request.due, one.attempts) for one in records]

    def nearly(self, moment):
        window = [attempts for sent, attempts in self._records if moment - _WINDOW <= sent <= moment]
        again = sum(max(0, attempts - 1) for attempts in window)
        return again + 1 >= _NEARLY * self._share * len(window)


def by_origin(records):
    """(last origin, number of records), sorted by origin."""
    counts = Counter(
        one.sightings[-1].origin if one.sightings else one.endpoint for one in records
    )
    return [(f"origin {number}", count) for number, count in sorted(counts.items(), key=str)]
