package dev.lychgate.config;

import java.time.Duration;

/**
 * The ejection of endpoints because of failed attempts or slow responses. An attempt counts as a failure if the origin
 * sends no response or a 5xx status.
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
    private static final Key<Integer> CONSECUTIVE = Key.number("consecutive", 5)
            .between(0, 1_000_000)
            .about("the number of consecutive failures that ejects an endpoint; `0` = no ejection for this reason");

    private static final Key<Duration> EJECTION = Key.duration("ejection", "30s")
            .atLeast("100ms")
            .about("the duration of the first ejection; the second lasts twice as long, the third three times as "
                    + "long, and so on");
    private static final Key<Duration> LONGEST =
            Key.duration("longest", "5m").about("the longest duration of an ejection; at least `ejection`");
    private static final Key<Percent> MAX_SHARE = Key.percent("max-share", "50%")
            .atMost("100%")
            .about("the largest share of the endpoints that may be ejected at the same time");
    private static final Key<Duration> INTERVAL = Key.duration("interval", "10s")
            .atLeast("100ms")
            .about("the interval at which each endpoint is compared with the other endpoints of the upstream, its "
                    + "peers");
    private static final Key<Integer> MINIMUM = Key.number("minimum", 20)
            .between(1, 1_000_000)
            .about("the minimum number of attempts in an interval for a comparison; the endpoint must have this "
                    + "number, and so must all its peers together");
    private static final Key<Percent> MARGIN = Key.percent("margin", "30%")
            .between("1%", "100%")
            .about("the number of percentage points by which the failure rate of an endpoint must exceed the failure "
                    + "rate of its peers for an ejection");
    private static final Key<Integer> SLOWER = Key.number("slower", 0)
            .zeroOr(2, 1000)
            .about("the factor by which the mean response time of an endpoint must exceed the mean response time of "
                    + "its peers for an ejection; `0` = no ejection for this reason");

    static final Keys<OutlierConfig> KEYS =
            Keys.of(OutlierConfig::new, CONSECUTIVE, EJECTION, LONGEST, MAX_SHARE, INTERVAL, MINIMUM, MARGIN, SLOWER);

    public static final OutlierConfig DEFAULT = KEYS.defaults();

    public OutlierConfig {
        KEYS.check(consecutive, ejection, longest, maxShare, interval, minimum, margin, slower);
        Expect.that(
                longest.compareTo(ejection) >= 0,
                "longest",
                Durations.print(longest),
                "at least the value of ejection, " + Durations.print(ejection));
    }
}
