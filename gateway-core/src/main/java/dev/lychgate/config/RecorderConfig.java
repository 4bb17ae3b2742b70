package dev.lychgate.config;

import java.time.Duration;

/** The settings of the recorder, which keeps the details of slow, failed and traced exchanges. */
public record RecorderConfig(Duration slow, int keep, boolean log) {
    private static final Key<Duration> SLOW = Key.duration("slow", "1s")
            .about("an exchange counts as slow if the time to the start of the response is longer, without the time in "
                    + "which the client sends its body; `0` = no exchange is slow");

    private static final Key<Integer> KEEP = Key.number("keep", 256)
            .between(0, 65_536)
            .about("the number of exchanges of each kind that are kept: slow exchanges, failed exchanges, and "
                    + "exchanges of a recorded trace; all routes and errors [share this "
                    + "number](tracing.md#the-story-of-one-exchange)");
    private static final Key<Boolean> LOG = Key.flag("log", true)
            .about("whether the application log contains slow exchanges, each as one line of JSON; at most ten lines "
                    + "per second");

    static final Keys<RecorderConfig> KEYS = Keys.of(RecorderConfig::new, SLOW, KEEP, LOG);

    public static final RecorderConfig DEFAULT = KEYS.defaults();

    public RecorderConfig {
        KEYS.check(slow, keep, log);
    }
}
