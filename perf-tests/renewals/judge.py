"""Conditions for new connections, given the time when each certificate was first seen."""


def stale(rows, first_seen):
    """New connections with full handshakes that received an older certificate than one seen before they began.

    :param rows: (kind, name, began, serial, resumed); resumed connections have the certificate of their session

    :param first_seen: by name, (time, serial) of each certificate in order of appearance
    """
    found = []
    for row in rows:
        _, name, began, serial, resumed = row
        known = [number for moment, number in first_seen[name] if moment < began]
        if not resumed and known and serial < known[-1]:
            found.append(row)
    return found


def unknown(rows, serials):
    """New connections with a certificate never issued for their name. :param serials: issued serial numbers by name"""
    return [row for row in rows if row[3] not in serials[row[1]]]
