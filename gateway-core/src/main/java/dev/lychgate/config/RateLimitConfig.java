package dev.lychgate.config;

import java.time.Duration;
import java.util.List;

/**
 * A rate limit. Over any interval of t seconds, it admits at most {@code burst + rate * t} units of each key.
 *
 * @param key the parts of a request that select a bucket, together
 * @param limit the rate of each bucket
 * @param burst the units of a full bucket; 0 = as many as {@code limit} has in its period
 * @param unit the counted units
 * @param mode whether requests beyond the limit are refused
 * @param maxKeys the largest number of keys with separate buckets
 * @param scope the gateways that share the buckets
 * @param onLoss the decisions of a shared limit while its store does not respond
 */
public record RateLimitConfig(
        List<LimitKey> key, Rate limit, int burst, Unit unit, Mode mode, int maxKeys, Scope scope, OnLoss onLoss) {
    /** What a limit counts. */
    public enum Unit {
        /** Requests, before they are handled. */
        REQUESTS(""),
        /** Bytes of the bodies of requests and responses, when an exchange has ended. */
        BYTES(";qu=\"content-bytes\""),
        /** The cost that filters set, when an exchange has ended. */
        COST(";qu=\"cost\"");

        private final String parameter;

        Unit(String parameter) {
            this.parameter = parameter;
        }

        /** Returns its parameter in {@code RateLimit-Policy}. */
        public String parameter() {
            return parameter;
        }
    }

    /** What happens to a request beyond the limit. */
    public enum Mode {
        /** It is refused with 429. */
        ENFORCE,
        /** It is only counted. */
        SHADOW
    }

    /** Which gateways share the buckets. */
    public enum Scope {
        /** Each gateway has its own. */
        LOCAL,
        /** All gateways with the same store share them. */
        FLEET
    }

    /** What happens to requests while the store of a shared limit does not respond. */
    public enum OnLoss {
        /** Each gateway admits its share: the limit divided by the number of gateways. */
        SHARE,
        /** All are admitted. */
        OPEN,
        /** All are refused. */
        CLOSED
    }

    private static final Rate REPLACED = new Rate(1, Duration.ofSeconds(1));
    private static final long MOST_SECONDS = 366L * 86_400;

    private static final Key<List<LimitKey>> KEY = Key.typed(
                    "key", Form.oneOrList(LimitKey.FORM), List.of(new LimitKey(LimitKey.Source.CLIENT, "")))
            .absent("`client`")
            .about(
                    "the part of a request that selects a bucket, or up to eight parts that select it together: `client`, `route`,"
                            + " `header:NAME`, `cookie:NAME` or `query:NAME`; a request without that field, cookie or parameter is"
                            + " counted by its client");
    private static final Key<Rate> LIMIT = Key.typed(
                    "limit",
                    Form.text("units per time", Rate::parse).looking("[1-9][0-9]{0,11}/([1-9][0-9]{0,3})?[smhd]"),
                    REPLACED)
            .required("a rate, such as 100/s")
            .about("the units of each key in a second, a minute (`m`), an hour, a day, or several of them: `5/10s`");
    private static final Key<Integer> BURST = Key.number("burst", 0)
            .between(0, 900_000_000)
            .absent("the units of one period")
            .about("the units that a key has at once after a pause");
    private static final Key<Unit> UNIT = Key.choice("unit", Unit.REQUESTS)
            .about(
                    "`requests`; `bytes` of the bodies of requests and responses; or the `cost` that filters set. Bytes and cost are"
                            + " counted when an exchange ends, and a key that has used more than it had must wait accordingly");
    private static final Key<Mode> MODE = Key.choice("mode", Mode.ENFORCE)
            .about("`enforce` = requests beyond the limit are refused with 429; `shadow` = they are only counted");
    private static final Key<Integer> MAX_KEYS = Key.number("max-keys", 100_000)
            .between(8, 10_000_000)
            .about(
                    "the largest number of keys with separate buckets, of 17 bytes each; if more keys are in use at the same time,"
                            + " the new ones share buckets");

    private static final Key<Scope> SCOPE = Key.choice("scope", Scope.LOCAL)
            .about(
                    "`local` = each gateway has its own buckets; `fleet` = the gateways with the same store share them, which an"
                            + " extension such as [redis](redis.md) provides");
    private static final Key<OnLoss> ON_LOSS = Key.choice("on-loss", OnLoss.SHARE)
            .about(
                    "the decisions of a limit with `scope: fleet` while the store does not respond: `share` = each gateway admits"
                            + " the limit divided by the number of gateways seen last; `open` = all requests are admitted; `closed` = all"
                            + " are refused");

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
                "a burst that becomes available within a year");
    }

    /** Returns an enforced limit of requests by client. @param rate such as {@code 100/s} */
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

    /** Returns whether gateways share the buckets. */
    public boolean isShared() {
        return scope == Scope.FLEET;
    }

    /** Returns the units of a full bucket. */
    public long capacity() {
        return burst == 0 ? limit.units() : burst;
    }
}
