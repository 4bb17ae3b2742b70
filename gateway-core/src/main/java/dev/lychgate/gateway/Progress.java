package dev.lychgate.gateway;

/** Whether an event loop makes progress, from best to worst. */
enum Progress {
    /** The loop makes progress. */
    MOVING,
    /** It has stalled for {@code stall.after}: it gets no new connections. */
    STALLED,
    /** It has stalled for {@code stall.not-ready}: the gateway is not ready. */
    NOT_READY,
    /** It has stalled for {@code stall.exit}: the gateway is broken. */
    GIVEN_UP
}
