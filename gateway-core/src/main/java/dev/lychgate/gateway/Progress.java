package dev.lychgate.gateway;

/** Whether an event loop makes progress, from best to worst. */
enum Progress {
    /** It does. */
    MOVING,
    /** It has stood still for {@code stall.after}: it gets no new connections. */
    STALLED,
    /** It has stood still for {@code stall.not-ready}: the gateway is not ready. */
    NOT_READY,
    /** It has stood still for {@code stall.exit}: the gateway is broken. */
    GIVEN_UP
}
