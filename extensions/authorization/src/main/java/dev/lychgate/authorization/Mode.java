package dev.lychgate.authorization;

/** The effect of a denial. */
enum Mode {
    /** The client receives the denial. */
    ENFORCE,
    /** The denial is logged and counted, and the request continues unchanged. */
    SHADOW
}
