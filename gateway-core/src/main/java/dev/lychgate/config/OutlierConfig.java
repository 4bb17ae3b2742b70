package dev.lychgate.config;

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
            Key.number("consecutive", 5).between(0, 1_000_000).about("so many failures in a row; `0` = never for that");

    private static final Key<Duration> EJECTION = Key.duration("ejection", "30s")
            .atLeast("100ms")
            .about("how long it is left out for the first time, twice as long for the second, and so on");
    private static final Key<Duration> LONGEST =
            Key.duration("longest", "5m").about("longest time it is left out; as long as `ejection`, or longer");
    private static final Key<Percent> MAX_SHARE = Key.percent("max-share", "50%")
            .atMost("100%")
            .about("largest share of the endpoints that may be out at once");
    private static final Key<Duration> INTERVAL =
            Key.duration("interval", "10s").atLeast("100ms").about("how often endpoints are compared with their peers");
    private static final Key<Integer> MINIMUM = Key.number("minimum", 20)
            .between(1, 1_000_000)
            .about("so many attempts in an interval, of an endpoint and of its peers together, or they are not"
                    + " compared");
    private static final Key<Percent> MARGIN = Key.percent("margin", "30%")
            .between("1%", "100%")
            .about("by how many points its share of failures is larger than its peers'");
    private static final Key<Integer> SLOWER = Key.number("slower", 0)
            .zeroOr(2, 1000)
            .about("how many times slower than its peers it answers on the average; `0` = never for that");

    static final Keys<OutlierConfig> KEYS =
            Keys.of(OutlierConfig::new, CONSECUTIVE, EJECTION, LONGEST, MAX_SHARE, INTERVAL, MINIMUM, MARGIN, SLOWER);

    public static final OutlierConfig DEFAULT = KEYS.defaults();

    public OutlierConfig {
        KEYS.check(consecutive, ejection, longest, maxShare, interval, minimum, margin, slower);
        Expect.that(longest.compareTo(ejection) >= 0, "longest", Durations.print(longest), "as long as ejection");
    }
}
