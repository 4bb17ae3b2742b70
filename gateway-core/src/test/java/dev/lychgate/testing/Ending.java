package dev.lychgate.testing;

/** The way in which the peer ended a connection. */
public enum Ending {
    /** By a FIN: all sent bytes arrived. */
    CLOSED,
    /** With a RST. */
    RESET
}
