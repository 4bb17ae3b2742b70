package dev.lychgate.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the requests of an upstream are dealt out to its endpoints.
 */
public record BalanceConfig(
        Algorithm algorithm,
        @Nullable HashSource hash,
        Percent loadBound,
        Duration slowStart,
        String zone,
        Percent spillBelow,
        Percent panicBelow) {
    private static final Key<Algorithm> ALGORITHM = Key.choice("algorithm", Algorithm.LEAST_REQUESTS, Algorithm::label)
            .about("how an endpoint is chosen; all of them heed weights");

    private static final Key<HashSource> HASH = Key.typed("hash", HashSource.FORM, null)
            .absent("**required** with `consistent-hash`")
            .about("what requests have to agree in to go to the same endpoint; none with other algorithms");
    private static final Key<Percent> LOAD_BOUND = Key.percent("load-bound", "0")
            .about("with `consistent-hash`: the most an endpoint may have under way, in percent of its share of "
                    + "all that is; beyond it the next one takes over; above 100%; `0` = no bound");
    private static final Key<Duration> SLOW_START = Key.duration("slow-start", "0")
            .about("how long an endpoint that has come, or come back, takes to reach its full weight; `0` = at once");
    private static final Key<String> ZONE = Key.typed("zone", Form.NAMED_OR_NONE, "")
            .absent("none")
            .about("the zone this gateway stands in, whose endpoints are used first");
    private static final Key<Percent> SPILL_BELOW = Key.percent("spill-below", "70%")
            .between("1%", "100%")
            .about("a group of endpoints keeps all its traffic while at least this share of its weight is "
                    + "healthy; below it the missing part goes to the next group");
    private static final Key<Percent> PANIC_BELOW = Key.percent("panic-below", "10%")
            .between(0, "100%")
            .about("where all groups together can't take all traffic, a group of which less than this share is "
                    + "healthy is used whatever its health; `0` = never");

    static final Keys<BalanceConfig> KEYS =
            Keys.of(BalanceConfig::new, ALGORITHM, HASH, LOAD_BOUND, SLOW_START, ZONE, SPILL_BELOW, PANIC_BELOW);

    public static final BalanceConfig DEFAULT = read(Key.DEFAULTS);

    public BalanceConfig {
        KEYS.check(algorithm, hash, loadBound, slowStart, zone, spillBelow, panicBelow);
        boolean consistent = algorithm == Algorithm.CONSISTENT_HASH;
        Expect.that(
                !consistent || hash != null,
                "hash",
                "missing",
                "path, client-ip, or a mapping of header, cookie or query");
        Expect.that(
                consistent || hash == null,
                "hash",
                "beside algorithm " + algorithm.label(),
                "algorithm consistent-hash, or the key left out");
        Expect.that(
                loadBound.value() == 0 || (consistent && loadBound.value() > 100),
                "load-bound",
                loadBound,
                consistent ? "above 100%, or 0" : "none with " + algorithm.label());
    }

    /** Reads a section. */
    static BalanceConfig read(Key.Values values) {
        values.requires("algorithm", Algorithm.CONSISTENT_HASH.label(), "hash");
        return KEYS.read(values);
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
