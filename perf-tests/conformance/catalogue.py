"""All cases."""

import fnmatch
import importlib

# In the order in which a message is processed.
_FAMILIES = (
    "request_line",
    "target",
    "host",
    "fields",
    "limits",
    "length",
    "coding",
    "framing",
    "chunked",
    "connection",
    "expect",
    "one_hop",
    "forwarding",
    "responses",
    "interim",
    "response_head",
    "response_end",
    "faults",
    # Only for some proxies, and therefore last: reports compare results by their position.
    "http2",
    "proxy_header",
)


def cases(pattern="*"):
    families = [importlib.import_module(f"{__package__}.cases_{name}") for name in _FAMILIES]
    found = [case for family in families for case in family.cases()]
    ids = [case.id for case in found]
    repeated = {one for one in ids if ids.count(one) > 1}
    if repeated:
        raise ValueError(f"ids used more than once: {sorted(repeated)}")
    return [case for case in found if fnmatch.fnmatchcase(case.id, pattern)]


def of_proxy(chosen, name):
    """The cases that the proxy supports."""
    return [case for case in chosen if not case.proxies or name in case.proxies]
