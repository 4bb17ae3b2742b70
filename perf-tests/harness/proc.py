"""Data of /proc about a process and its descendants."""

import os
from dataclasses import dataclass

# Connection states in /proc/net/tcp; all others except LISTEN are closed by the server, or new.
_ESTABLISHED, _CLOSE_WAIT = "01", "08"

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class CpuTime:
    """Seconds of CPU time."""

    user: float
    system: float

    def __sub__(self, earlier):
        return CpuTime(self.user - earlier.user, self.system - earlier.system)

    @property
    def total(self):
        return self.user + self.system


def _stat(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
        # The command name may contain blanks and parentheses; the fields begin after the last parenthesis.
        return stat.read().rpartition(")")[2].split()


def family(pid):
    """The process and all its running descendants."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                children.setdefault(int(_stat(name)[1]), []).append(int(name))
            except (FileNotFoundError, ProcessLookupError):
                continue  # the process ended concurrently
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += children.get(one, [])
    return found


def cpu_time(pids):
    user = system = 0
    for pid in pids:
        fields = _stat(pid)
        user += int(fields[11])
        system += int(fields[12])
    return CpuTime(user / TICKS_PER_SECOND, system / TICKS_PER_SECOND)


def switches(pids):
    """Context switches of all current threads so far, voluntary and involuntary."""
    total = 0
    for pid in pids:
        for task in os.listdir(f"/proc/{pid}/task"):
            try:
                with open(f"/proc/{pid}/task/{task}/status", encoding="utf-8") as status:
                    total += sum(int(line.split()[1]) for line in status if "ctxt_switches:" in line)
            except (FileNotFoundError, ProcessLookupError):
                continue  # the thread ended concurrently
    return total


def resident_bytes(pids):
    """VmRSS of all the processes; shared pages are counted repeatedly."""
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/status", encoding="utf-8") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    total += int(line.split()[1]) * 1024
    return total


def descriptors(pids):
    return sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in pids)


def _connections():
    """(local port, remote port, state, inode) of every TCP socket."""
    # JVM sockets are IPv6, even for IPv4 addresses.
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with open(table, encoding="ascii") as lines:
            for line in list(lines)[1:]:
                fields = line.split()
                local, remote = (int(address.rpartition(":")[2], 16) for address in fields[1:3])
                yield local, remote, fields[3], fields[9]


def accepted_connections(port):
    """Connections to a local port that its server has not closed, regardless of the client."""
    return sum(local == port and state in (_ESTABLISHED, _CLOSE_WAIT) for local, _, state, _ in _connections())


def connections_to(pids, port):
    """Open connections of these processes to a port."""
    own = set()
    for pid in pids:
        for descriptor in os.listdir(f"/proc/{pid}/fd"):
            try:
                own.add(os.readlink(f"/proc/{pid}/fd/{descriptor}"))
            except FileNotFoundError:
                continue  # closed concurrently
    return sum(
        remote == port and state == _ESTABLISHED and f"socket:[{inode}]" in own
        for _, remote, state, inode in _connections()
    )


def allowed_cpus(pid):
    return sorted(os.sched_getaffinity(pid))
