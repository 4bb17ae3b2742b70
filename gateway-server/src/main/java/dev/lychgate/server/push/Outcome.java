package dev.lychgate.server.push;

import java.time.Duration;

/** The outcome of one attempt to send a body. The reasons are safe to log, because they contain no part of the body. */
sealed interface Outcome {
    /** The receiver accepted the body. */
    record Delivered() implements Outcome {}

    /** The receiver rejected the body. A retry would also fail. */
    record Refused(String why) implements Outcome {}

    /**
     * The attempt failed, but a retry may succeed.
     *
     * @param retryAfter pause that the receiver requested; zero if none
     */
    record Failed(String why, Duration retryAfter) implements Outcome {}
}
