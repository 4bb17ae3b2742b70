package dev.lychgate.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The distribution of an upstream's requests among its endpoints. */
public record BalanceConfig(
        Algorithm algorithm,
        @Nullable HashSource hash,
        Percent loadBound,
        Duration slowStart,
        String zone,
        Percent spillBelow,
        Percent panicBelow) {
    private static final Key<Algorithm> ALGORITHM = Key.choice("algorithm", Algorithm.LEAST_REQUESTS, Algorithm::label)
            .about("the algorithm that selects an endpoint; every algorithm respects weights");

    private static final Key<HashSource> HASH = Key.typed("hash", HashSource.FORM, null)
            .absent("**required** with `consistent-hash`")
            .about("the part of a request that selects the endpoint: requests with the same value use the same "
                    + "endpoint; not permitted with other algorithms");
    private static final Key<Percent> LOAD_BOUND = Key.percent("load-bound", "0")
            .about("with `consistent-hash`: the maximum number of active requests of an endpoint, in percent of its "
                    + "share of all active requests; further requests use the next endpoint; the value must be above "
                    + "100%; `0` = no bound");
    private static final Key<Duration> SLOW_START = Key.duration("slow-start", "0")
            .about("the time in which a new or recovered endpoint reaches its full weight; `0` = immediately");
    private static final Key<String> ZONE = Key.typed("zone", Form.NAMED_OR_NONE, "")
            .absent("none")
            .about("the zone of this gateway; endpoints of the same zone are used first");
    private static final Key<Percent> SPILL_BELOW = Key.percent("spill-below", "70%")
            .between("1%", "100%")
            .about("the minimum healthy part of the weight of a group (the endpoints of one priority) with which the "
                    + "group still receives all its traffic; below this percentage, the next group receives the "
                    + "missing part");
    private static final Key<Percent> PANIC_BELOW = Key.percent("panic-below", "10%")
            .between(0, "100%")
            .about("the healthy part of the weight of a group (the endpoints of one priority) below which the group "
                    + "uses all its endpoints regardless of health, if all groups together can't take all traffic; `0` "
                    + "= never");

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
                "set together with algorithm " + algorithm.label(),
                "algorithm consistent-hash, or the key left out");
        Expect.that(
                loadBound.value() == 0 || (consistent && loadBound.value() > 100),
                "load-bound",
                loadBound,
                consistent ? "above 100%, or 0" : "no load-bound with algorithm " + algorithm.label());
    }

    static BalanceConfig read(Key.Values values) {
        values.requires("algorithm", Algorithm.CONSISTENT_HASH.label(), "hash");
        return KEYS.read(values);
    }

    /**
     * Creates settings with this algorithm and the defaults. The algorithm must not be {@link
     * Algorithm#CONSISTENT_HASH}, which needs a {@link HashSource}.
     */
    public static BalanceConfig of(Algorithm algorithm) {
        return DEFAULT.with(algorithm, null);
    }

    /** Creates settings with a consistent hash of {@code source}, and with the defaults for all other components. */
    public static BalanceConfig hashing(HashSource source) {
        return DEFAULT.with(Algorithm.CONSISTENT_HASH, source);
    }

    /** Returns these settings with another algorithm. */
    public BalanceConfig with(Algorithm other, @Nullable HashSource source) {
        return new BalanceConfig(other, source, loadBound, slowStart, zone, spillBelow, panicBelow);
    }

    /** Returns these settings with a bound on the load of each endpoint. */
    public BalanceConfig withLoadBound(Percent bound) {
        return new BalanceConfig(algorithm, hash, bound, slowStart, zone, spillBelow, panicBelow);
    }

    /** Returns these settings with a slow start. */
    public BalanceConfig withSlowStart(Duration window) {
        return new BalanceConfig(algorithm, hash, loadBound, window, zone, spillBelow, panicBelow);
    }

    /** Returns these settings for a gateway in the zone {@code ownZone}. */
    public BalanceConfig in(String ownZone) {
        return new BalanceConfig(algorithm, hash, loadBound, slowStart, ownZone, spillBelow, panicBelow);
    }

    /** Returns these settings with other thresholds. */
    public BalanceConfig withThresholds(Percent spill, Percent panic) {
        return new BalanceConfig(algorithm, hash, loadBound, slowStart, zone, spill, panic);
    }
}
