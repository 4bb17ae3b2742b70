package dev.lychgate.config;

import static dev.lychgate.config.Key.duration;
import static dev.lychgate.config.Key.flag;
import static dev.lychgate.config.Key.number;

import java.time.Duration;

/**
 * Which exchanges have their whole story kept, besides those that failed.
 */
public record RecorderConfig(Duration slow, int keep, boolean log) {
    private static final Key<Duration> SLOW = duration("slow", "1s")
            .about("how long an answer may take to begin before its exchange counts as slow, the client's "
                    + "sending of its body aside; `0` = none does");

    private static final Key<Integer> KEEP = number("keep", 256)
            .between(0, 65_536)
            .restart()
            .about("how many are kept of those that were slow, of those that failed, and of those in a recorded "
                    + "trace, each; routes and errors [share the room](tracing.md#the-story-of-one-exchange)");
    private static final Key<Boolean> LOG = flag("log", true)
            .restart()
            .about("whether slow ones are told in the application log, in one line of JSON each, ten a second at most");

    public static final RecorderConfig DEFAULT = read(Key.DEFAULTS);

    public RecorderConfig {
        SLOW.check(slow);
        KEEP.check(keep);
    }

    /** Reads a section. */
    static RecorderConfig read(Key.Values values) {
        return new RecorderConfig(values.get(SLOW), values.get(KEEP), values.get(LOG));
    }
}
