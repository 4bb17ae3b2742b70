package dev.lychgate.exchange;

/** How far one direction of an exchange has come: the request has one, the answer has one. */
public enum Half {
    /** The head is not there yet, or not dealt with. */
    HEAD,
    /** The head is through; the body is on its way. */
    BODY,
    /** Whole. */
    DONE,
    /** Cut off: the rest is thrown away. */
    ABORTED
}
