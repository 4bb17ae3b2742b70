package dev.lychgate.gateway;

/** Whether an event loop makes progress; ordered from best to worst. */
enum Progress {
    /** The loop makes progress. */
    MOVING,
    /** The loop has stalled for {@code stall.after}, so it gets no new connections. */
    STALLED,
    /** The loop has stalled for {@code stall.not-ready}, so the gateway reports that it is not ready. */
    NOT_READY,
    /** The loop has stalled for {@code stall.exit}, so {@link Gateway#broken} completes. */
    GIVEN_UP
}
