package dev.lychgate.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the requests of an upstream are dealt out to its endpoints.
 *
 * @param algorithm how one is chosen; default {@link Algorithm#LEAST_REQUESTS}
 * @param hash what {@link Algorithm#CONSISTENT_HASH} looks at, and nothing else does; null with all others
 * @param loadBound with {@link Algorithm#CONSISTENT_HASH}: how many requests under way an endpoint may have, in percent of
 *     the mean; beyond it the next one takes over; 0 = no bound, the default; else above 100
 * @param slowStart how long an endpoint that has come, or come back, takes to reach its full weight; 0 = at once, the
 *     default
 * @param zone the zone that this gateway stands in, whose endpoints are used first; empty = none is preferred, the default
 * @param spillBelow a group of endpoints (of one priority, and of one zone or of all others) keeps all its traffic while at
 *     least this share of its weight may be used; below it, the missing part goes to the next group; 1 to 100, default 70
 * @param panicBelow where the groups together can't take all traffic, a group of which less than this share may be used
 *     gets its traffic as if all its endpoints were healthy; 0 = never, and then there may be none to use at all; 0 to 100,
 *     default 10
 */
public record BalanceConfig(
        Algorithm algorithm,
        @Nullable HashSource hash,
        Percent loadBound,
        Duration slowStart,
        String zone,
        Percent spillBelow,
        Percent panicBelow) {
    public static final BalanceConfig DEFAULT = new BalanceConfig(
            Algorithm.LEAST_REQUESTS, null, new Percent(0), Duration.ZERO, "", new Percent(70), new Percent(10));

    public BalanceConfig {
        boolean consistent = algorithm == Algorithm.CONSISTENT_HASH;
        Expect.that(!consistent || hash != null, "hash", "missing", "what consistent-hash is to look at");
        Expect.that(consistent || hash == null, "hash", "given", "none with " + algorithm.label());
        Expect.that(
                loadBound.value() == 0 || (consistent && loadBound.value() > 100),
                "load-bound",
                loadBound,
                consistent ? "above 100%, or 0" : "none with " + algorithm.label());
        Expect.notNegative("slow-start", slowStart);
        Expect.nameOrEmpty("zone", zone);
        Expect.that(spillBelow.value() >= 1 && spillBelow.value() <= 100, "spill-below", spillBelow, "1% to 100%");
        Expect.that(panicBelow.value() <= 100, "panic-below", panicBelow, "0% to 100%");
    }

    /** Every default, but for the algorithm; not for {@link Algorithm#CONSISTENT_HASH}. */
    public static BalanceConfig of(Algorithm algorithm) {
        return DEFAULT.with(algorithm, null);
    }

    /** Every default, but for a consistent hash. */
    public static BalanceConfig hashing(HashSource source) {
        return DEFAULT.with(Algorithm.CONSISTENT_HASH, source);
    }

    /** These settings with another algorithm. */
    public BalanceConfig with(Algorithm other, @Nullable HashSource source) {
        return new BalanceConfig(other, source, loadBound, slowStart, zone, spillBelow, panicBelow);
    }

    /** These settings with a bound on the load of each endpoint. */
    public BalanceConfig withLoadBound(Percent bound) {
        return new BalanceConfig(algorithm, hash, bound, slowStart, zone, spillBelow, panicBelow);
    }

    /** These settings with a slow start. */
    public BalanceConfig withSlowStart(Duration window) {
        return new BalanceConfig(algorithm, hash, loadBound, window, zone, spillBelow, panicBelow);
    }

    /** These settings for a gateway in that zone. */
    public BalanceConfig in(String ownZone) {
        return new BalanceConfig(algorithm, hash, loadBound, slowStart, ownZone, spillBelow, panicBelow);
    }

    /** These settings with other thresholds. */
    public BalanceConfig withThresholds(Percent spill, Percent panic) {
        return new BalanceConfig(algorithm, hash, loadBound, slowStart, zone, spill, panic);
    }
}
