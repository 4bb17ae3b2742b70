package dev.lychgate.config;

import static dev.lychgate.config.Key.duration;
import static dev.lychgate.config.Key.number;
import static dev.lychgate.config.Key.percent;

import java.time.Duration;

/**
 * When an endpoint is left out for a while because of how it does under traffic. A failure is an attempt that the origin
 * did not answer, or answered with a 5xx status.
 */
public record OutlierConfig(
        int consecutive,
        Duration ejection,
        Duration longest,
        Percent maxShare,
        Duration interval,
        int minimum,
        Percent margin,
        int slower) {
    private static final Key<Integer> CONSECUTIVE =
            number("consecutive", 5).between(0, 1_000_000).about("so many failures in a row; `0` = never for that");

    private static final Key<Duration> EJECTION = duration("ejection", "30s")
            .atLeast("100ms")
            .about("how long it is left out for the first time, twice as long for the second, and so on");
    private static final Key<Duration> LONGEST =
            duration("longest", "5m").about("longest time it is left out; as long as `ejection`, or longer");
    private static final Key<Percent> MAX_SHARE =
            percent("max-share", "50%").atMost("100%").about("largest share of the endpoints that may be out at once");
    private static final Key<Duration> INTERVAL =
            duration("interval", "10s").atLeast("100ms").about("how often endpoints are compared with their peers");
    private static final Key<Integer> MINIMUM = number("minimum", 20)
            .between(1, 1_000_000)
            .about(
                    "so many attempts in an interval, of an endpoint and of its peers together, or they are not compared");
    private static final Key<Percent> MARGIN = percent("margin", "30%")
            .between("1%", "100%")
            .about("by how many points its share of failures is larger than its peers'");
    private static final Key<Integer> SLOWER = number("slower", 0)
            .zeroOr(2, 1000)
            .about("how many times slower than its peers it answers on the average; `0` = never for that");

    public static final OutlierConfig DEFAULT = read(Key.DEFAULTS);

    public OutlierConfig {
        CONSECUTIVE.check(consecutive);
        EJECTION.check(ejection);
        MAX_SHARE.check(maxShare);
        INTERVAL.check(interval);
        MINIMUM.check(minimum);
        MARGIN.check(margin);
        SLOWER.check(slower);
        Expect.that(longest.compareTo(ejection) >= 0, "longest", Durations.print(longest), "as long as ejection");
    }

    /** Reads a section. */
    static OutlierConfig read(Key.Values values) {
        return new OutlierConfig(
                values.get(CONSECUTIVE),
                values.get(EJECTION),
                values.get(LONGEST),
                values.get(MAX_SHARE),
                values.get(INTERVAL),
                values.get(MINIMUM),
                values.get(MARGIN),
                values.get(SLOWER));
    }
}
