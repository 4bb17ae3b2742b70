"""Open descriptors: the same limit for all started processes."""

import resource

from . import tools

DESCRIPTORS = 20_000


def set_descriptors(wanted=DESCRIPTORS):
    """Sets soft and hard limit, which children inherit.

    Lowers the hard limit too, because a JVM raises its soft limit to the hard one.
    """
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, wanted))
    except (ValueError, PermissionError):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        raise tools.Refused(f"{wanted} open files are needed, the hard limit (ulimit -Hn) is {hard}") from None


def allowed_descriptors():
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
