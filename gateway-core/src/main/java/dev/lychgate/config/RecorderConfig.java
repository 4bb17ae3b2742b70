package dev.lychgate.config;

import java.time.Duration;

/**
 * Which exchanges have their whole story kept, besides those that failed.
 */
public record RecorderConfig(Duration slow, int keep, boolean log) {
    private static final Key<Duration> SLOW = Key.duration("slow", "1s")
            .about("how long an answer may take to begin before its exchange counts as slow, the client's "
                    + "sending of its body aside; `0` = none does");

    private static final Key<Integer> KEEP = Key.number("keep", 256)
            .between(0, 65_536)
            .restart()
            .about("how many are kept of those that were slow, of those that failed, and of those in a recorded "
                    + "trace, each; routes and errors [share the room](tracing.md#the-story-of-one-exchange)");
    private static final Key<Boolean> LOG = Key.flag("log", true)
            .restart()
            .about("whether slow ones are told in the application log, in one line of JSON each, ten a second at most");

    static final Keys<RecorderConfig> KEYS = Keys.of(RecorderConfig::new, SLOW, KEEP, LOG);

    public static final RecorderConfig DEFAULT = KEYS.defaults();

    public RecorderConfig {
        KEYS.check(slow, keep, log);
    }
}
