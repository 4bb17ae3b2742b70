"""All cases."""

import fnmatch

from . import (
    cases_chunked,
    cases_connection,
    cases_faults,
    cases_fields,
    cases_forwarding,
    cases_framing,
    cases_host,
    cases_limits,
    cases_request_line,
    cases_responses,
)

_FAMILIES = (
    cases_request_line,
    cases_host,
    cases_fields,
    cases_framing,
    cases_chunked,
    cases_responses,
    cases_connection,
    cases_forwarding,
    cases_limits,
    cases_faults,
)


def cases(pattern="*"):
    found = [case for family in _FAMILIES for case in family.cases()]
    ids = [case.id for case in found]
    repeated = {one for one in ids if ids.count(one) > 1}
    if repeated:
        raise ValueError(f"ids used more than once: {sorted(repeated)}")
    return [case for case in found if fnmatch.fnmatchcase(case.id, pattern)]
