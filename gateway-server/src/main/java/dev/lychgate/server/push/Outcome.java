package dev.lychgate.server.push;

import java.time.Duration;

/** The outcome of one attempt. The reasons are safe to log: they contain nothing that was sent. */
sealed interface Outcome {
    /** The receiver accepted the body. */
    record Delivered() implements Outcome {}

    /** A retry would fail as well. */
    record Refused(String why) implements Outcome {}

    /** A retry may succeed. @param retryAfter pause requested by the receiver, zero if none */
    record Failed(String why, Duration retryAfter) implements Outcome {}
}
