"""What must hold of new connections, given when each certificate was first seen by somebody."""


def stale(rows, first_seen):
    """
    New connections with whole handshakes that were shown a certificate older than one that somebody had been shown before
    they began.

    :param rows: (kind, name, began, serial, resumed) of each; those that were resumed tell of the time of their session
    :param first_seen: by name, (moment, serial) of each certificate, in the order in which they came
    """
    found = []
    for row in rows:
        _, name, began, serial, resumed = row
        known = [number for moment, number in first_seen[name] if moment < began]
        if not resumed and known and serial < known[-1]:
            found.append(row)
    return found


def unknown(rows, serials):
    """New connections that were shown what never was the certificate for their name. :param serials: by name, those that were"""
    return [row for row in rows if row[3] not in serials[row[1]]]
