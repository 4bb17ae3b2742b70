package dev.lychgate.config;

import java.time.Duration;

/**
 * Which exchanges have their whole story kept, besides those that failed.
 *
 * @param slow how long the answer of an exchange may take to begin before it is recorded as a slow one, the client's sending of its
 *     body aside; 0 = none is; default 1s
 * @param keep how many are kept of those that were slow, of those that failed, and of those in a trace that is recorded, each.
 *     Within each, routes and errors share the room, and the oldest of the kind that has most goes first; default 256
 * @param log whether slow ones are told in the application log, one line each, at most ten a second; default true
 */
public record RecorderConfig(Duration slow, int keep, boolean log) {
    public static final RecorderConfig DEFAULT = new RecorderConfig(Duration.ofSeconds(1), 256, true);

    public RecorderConfig {
        Expect.notNegative("slow", slow);
        Expect.between(0, 65_536, "keep", keep);
    }
}
