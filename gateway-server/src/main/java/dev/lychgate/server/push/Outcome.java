package dev.lychgate.server.push;

import java.time.Duration;

/** What one try came to. The reasons are fit for a log: they hold nothing that was sent. */
sealed interface Outcome {
    /** The receiver has it. */
    record Delivered() implements Outcome {}

    /** It would be refused again. */
    record Refused(String why) implements Outcome {}

    /** Another try may succeed. @param retryAfter what the receiver asked for, zero if nothing */
    record Failed(String why, Duration retryAfter) implements Outcome {}
}
