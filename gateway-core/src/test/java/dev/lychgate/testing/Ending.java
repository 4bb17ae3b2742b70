package dev.lychgate.testing;

/** How the peer ended a connection. */
public enum Ending {
    /** By a FIN: all sent bytes arrived. */
    CLOSED,
    /** With a RST. */
    RESET
}
