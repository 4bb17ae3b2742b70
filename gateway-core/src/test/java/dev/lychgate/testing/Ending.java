package dev.lychgate.testing;

/** How the peer ended a connection. */
public enum Ending {
    /** With a FIN: everything it sent arrived. */
    CLOSED,
    /** With a RST. */
    RESET
}
