package dev.lychgate.config;

import java.time.Duration;
import java.util.List;

/**
 * A rate limit with a token bucket for each key.
 *
 * @param key the parts of a request that together select a bucket
 * @param limit the rate at which each bucket is filled
 * @param burst the number of units in a full bucket; 0 = the number of units per period of {@code limit}
 * @param unit the counted units
 * @param mode whether requests beyond the limit are rejected or only counted
 * @param maxKeys the largest number of keys with separate buckets
 * @param scope the gateways that share the buckets
 * @param onLoss the decision about requests while the store of a shared limit does not respond
 */
public record RateLimitConfig(
        List<LimitKey> key, Rate limit, int burst, Unit unit, Mode mode, int maxKeys, Scope scope, OnLoss onLoss) {
    /** The units that a limit counts. */
    public enum Unit {
        /** Requests, which are counted before they are handled. */
        REQUESTS(""),
        /** Bytes of the bodies of requests and responses, which are counted during the exchange and at its end. */
        BYTES(";qu=\"content-bytes\""),
        /** The cost that filters set, which is counted when the exchange has ended. */
        COST(";qu=\"cost\"");

        private final String parameter;

        Unit(String parameter) {
            this.parameter = parameter;
        }

        /** Returns the parameter that states this unit in the field {@code RateLimit-Policy}; empty for requests. */
        public String parameter() {
            return parameter;
        }
    }

    /** The treatment of a request that exceeds the limit. */
    public enum Mode {
        /** Rejects the request with 429. */
        ENFORCE,
        /** Counts the request, but admits it. */
        SHADOW
    }

    /** The gateways that share the buckets. */
    public enum Scope {
        /** Each gateway has separate buckets. */
        LOCAL,
        /** All gateways with the same store share the buckets. */
        FLEET
    }

    /** The decision about requests while the store of a shared limit does not respond. */
    public enum OnLoss {
        /** Each gateway admits its share: the limit divided by the number of gateways. */
        SHARE,
        /** All requests are admitted. */
        OPEN,
        /** All requests are rejected. */
        CLOSED
    }

    private static final Rate REPLACED = new Rate(1, Duration.ofSeconds(1));
    private static final long MOST_SECONDS = 366L * 86_400;

    private static final Key<List<LimitKey>> KEY = Key.typed(
                    "key", Form.oneOrList(LimitKey.FORM), List.of(new LimitKey(LimitKey.Source.CLIENT, "")))
            .absent("`client`")
            .about("the part of a request by which the limit counts, or a list of up to eight parts, which are "
                    + "combined: `client`, `route`, `header:NAME`, `cookie:NAME`, `query:NAME` or "
                    + "`claim:NAME`; a request without the named field, cookie, parameter or claim is counted "
                    + "by the address of its client");
    private static final Key<Rate> LIMIT = Key.typed(
                    "limit",
                    Form.text("units per time", Rate::parse).looking("[1-9][0-9]{0,11}/([1-9][0-9]{0,3})?[smhd]"),
                    REPLACED)
            .required("a rate, such as 100/s")
            .about("the number of units of each key per second (`100/s`), minute (`m`), hour (`h`) or day (`d`), or "
                    + "per several of them (`5/10s`)");
    private static final Key<Integer> BURST = Key.number("burst", 0)
            .between(0, 900_000_000)
            .absent("the units of one period")
            .about("the number of units that a key may use at once after it was unused for some time");
    private static final Key<Unit> UNIT = Key.choice("unit", Unit.REQUESTS)
            .about("the units that the limit counts: `requests`, `bytes` of the bodies of requests and responses, or "
                    + "the `cost` that filters set. Bytes and cost are known only when an exchange ends, so a key may "
                    + "exceed its limit, and its next requests must then wait longer");
    private static final Key<Mode> MODE = Key.choice("mode", Mode.ENFORCE)
            .about("`enforce` = requests beyond the limit are rejected with 429; `shadow` = requests beyond the limit "
                    + "are only counted");
    private static final Key<Integer> MAX_KEYS = Key.number("max-keys", 100_000)
            .between(8, 10_000_000)
            .about("the maximum number of keys with a separate bucket, which takes 17 bytes; if more keys are in use "
                    + "at the same time, the additional keys share buckets");

    private static final Key<Scope> SCOPE = Key.choice("scope", Scope.LOCAL)
            .about("`local` = each gateway has its own buckets; `fleet` = all gateways with the same store share "
                    + "buckets; an extension such as [redis](redis.md) provides the store");
    private static final Key<OnLoss> ON_LOSS = Key.choice("on-loss", OnLoss.SHARE)
            .about("the decision about requests of a limit with `scope: fleet` while the store does not respond: "
                    + "`share` = each gateway admits the limit divided by the last known number of gateways; "
                    + "`open` = all requests are admitted; `closed` = all requests are rejected");

    static final Keys<RateLimitConfig> KEYS =
            Keys.of(RateLimitConfig::new, KEY, LIMIT, BURST, UNIT, MODE, MAX_KEYS, SCOPE, ON_LOSS);

    public RateLimitConfig {
        KEYS.check(key, limit, burst, unit, mode, maxKeys, scope, onLoss);
        key = Expect.copy(key);
        Expect.that(!key.isEmpty() && key.size() <= 8, "key", key, "one to eight parts");
        Expect.that(
                (burst == 0 ? limit.units() : burst) * limit.interval() <= MOST_SECONDS * 1e9,
                "burst",
                burst,
                "a burst that the rate of the limit refills within a year");
    }

    /**
     * Creates an enforced limit of requests per client.
     *
     * @param rate the rate, such as {@code 100/s}
     */
    public static RateLimitConfig of(String rate) {
        return new RateLimitConfig(
                KEY.otherwise(),
                Rate.parse(rate),
                BURST.otherwise(),
                UNIT.otherwise(),
                MODE.otherwise(),
                MAX_KEYS.otherwise(),
                SCOPE.otherwise(),
                ON_LOSS.otherwise());
    }

    /** Returns whether the limit counts by a claim of the sender. Such a limit requires authentication. */
    public boolean readsClaims() {
        return key.stream().anyMatch(part -> part.source() == LimitKey.Source.CLAIM);
    }

    /** Returns whether gateways share the buckets. */
    public boolean isShared() {
        return scope == Scope.FLEET;
    }

    /** Returns the number of units in a full bucket. */
    public long capacity() {
        return burst == 0 ? limit.units() : burst;
    }
}
