package dev.lychgate.config;

import java.time.Duration;

/**
 * When an endpoint is left out for a while because of how it does under traffic. A failure is an attempt that the origin
 * did not answer, or answered with a 5xx status.
 *
 * @param consecutive so many failures in a row; 0 = never for that; default 5
 * @param ejection how long it is left out for the first time, twice as long for the second, and so on; default 30s
 * @param longest longest time it is left out; default 5m
 * @param maxShare largest share of the endpoints that may be out at once; default 50%
 * @param interval how often endpoints are compared with their peers; default 10s
 * @param minimum so many attempts in an interval, of an endpoint and of its peers together, or they are not compared;
 *     default 20
 * @param margin by how many points its share of failures is larger than its peers'; default 30%
 * @param slower how many times slower than its peers it answers on the average; 0 = never for that; default 0
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
    public static final OutlierConfig DEFAULT = new OutlierConfig(
            5,
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            new Percent(50),
            Duration.ofSeconds(10),
            20,
            new Percent(30),
            0);

    public OutlierConfig {
        Expect.between(0, 1_000_000, "consecutive", consecutive);
        Expect.that(ejection.toMillis() >= 100, "ejection", Durations.print(ejection), ">= 100ms");
        Expect.that(longest.compareTo(ejection) >= 0, "longest", Durations.print(longest), "as long as ejection");
        Expect.that(maxShare.value() <= 100, "max-share", maxShare, "<= 100%");
        Expect.that(interval.toMillis() >= 100, "interval", Durations.print(interval), ">= 100ms");
        Expect.between(1, 1_000_000, "minimum", minimum);
        Expect.that(margin.value() >= 1 && margin.value() <= 100, "margin", margin, "1% to 100%");
        Expect.that(slower == 0 || (slower >= 2 && slower <= 1000), "slower", slower, "0, or 2 to 1000");
    }
}
