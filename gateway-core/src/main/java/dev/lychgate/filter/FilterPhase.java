package dev.lychgate.filter;

/** When a filter runs. The phases of one exchange run in this order; {@link #ERROR} only where something failed. */
public enum FilterPhase {
    /** The request is there, and may be changed, answered or refused. Global filters run before it is routed. */
    INBOUND,
    /** The route is known, and somebody has to answer: a filter of this phase may, or else the route's upstream does. */
    ENDPOINT,
    /** The exchange has failed before anything was sent to the client, and a filter may answer in its own way. */
    ERROR,
    /** There is an answer, an error answer perhaps; nothing of it has been sent. */
    OUTBOUND
}
