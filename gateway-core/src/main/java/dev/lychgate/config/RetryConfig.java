package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When a route sends a request again, and how often. A request that must not be done twice is never sent again, whatever
 * stands here: it needs an idempotent method, or a failure that surely came before the origin saw anything.
 */
public record RetryConfig(
        int attempts,
        List<String> on,
        Duration perTry,
        Backoff backoff,
        Duration retryAfter,
        ByteSize body,
        boolean idempotent,
        @Nullable Hedge hedge) {
    public static final String CONNECT_FAILURE = "connect-failure";
    public static final String RESET = "reset";
    public static final String TIMEOUT = "timeout";

    private static final String FORM = CONNECT_FAILURE + "|" + RESET + "|" + TIMEOUT + "|[45]\\d\\d";

    private static final Key<Integer> ATTEMPTS = Key.number("attempts", 2)
            .between(1, 10)
            .about("how often a request is sent at most, the first time included");

    private static final Key<List<String>> ON = Key.typed(
                    "on",
                    Form.list(Form.TEXT.matching(FORM, "connect-failure, reset, timeout, or a status such as \"503\"")),
                    List.of(CONNECT_FAILURE, RESET))
            .about("after which failures: `connect-failure`, `reset` (`origin-reset` and `origin-cancelled`), "
                    + "`timeout` (no response head in time), or a status from `\"400\"` to `\"599\"`");
    private static final Key<Duration> PER_TRY = Key.duration("per-try", "0")
            .about("how long one attempt may take until the response head; `0` = no limit of its own");
    private static final Key<Backoff> BACKOFF = Key.section("backoff", Backoff.KEYS)
            .about("how long to wait before sending again: between nothing and a time that doubles with each "
                    + "attempt, by chance");
    private static final Key<Duration> RETRY_AFTER = Key.duration("retry-after", "1s")
            .about("the longest `Retry-After` that is waited for; an answer that asks for more is passed on");
    private static final Key<ByteSize> BODY = Key.size("body", "64KiB")
            .atMost("16MiB")
            .about("bytes of a request body that are kept for sending it again; a longer body is sent once");
    private static final Key<Boolean> IDEMPOTENT =
            Key.flag("idempotent", false).about("every method of this route may be done twice, POST too");
    private static final Key<Hedge> HEDGE = Key.section("hedge", null, Hedge::read)
            .absent("never")
            .about("when a second attempt is begun beside one that is slow, within `attempts` and the budget; "
                    + "exactly one of `delay` and `percentile`");

    static final Keys<RetryConfig> KEYS =
            Keys.of(RetryConfig::new, ATTEMPTS, ON, PER_TRY, BACKOFF, RETRY_AFTER, BODY, IDEMPOTENT, HEDGE);

    public static final RetryConfig DEFAULT = KEYS.defaults();

    public RetryConfig {
        KEYS.check(attempts, on, perTry, backoff, retryAfter, body, idempotent, hedge);
        on = Expect.copy(on);
    }

    /**
     * Waiting that doubles with each attempt; how much of it is waited is left to chance, from none to all.
     */
    public record Backoff(Duration base, Duration max) {
        private static final Key<Duration> BASE =
                Key.duration("base", "25ms").positive().about("at most this before the second attempt");

        private static final Key<Duration> MAX =
                Key.duration("max", "250ms").about("at most this before any attempt; at least `base`");

        static final Keys<Backoff> KEYS = Keys.of(Backoff::new, BASE, MAX);

        public static final Backoff DEFAULT = KEYS.defaults();

        public Backoff {
            BASE.check(base);
            Expect.that(max.compareTo(base) >= 0, "max", Durations.print(max), ">= base " + Durations.print(base));
        }
    }

    /**
     * When a second attempt is begun beside the first: after a fixed time, or when the first takes longer than most do.
     * Exactly one of the two is said. Within the attempts and the budget of retries.
     */
    public record Hedge(@Nullable Duration delay, int percentile) implements WrittenConfig.Section {
        private static final Key<Duration> DELAY =
                Key.typed("delay", Form.DURATION, null).absent("-").positive().about("how long the first attempt has");
        private static final Key<Integer> PERCENTILE = Key.number("percentile", 0)
                .absent("-")
                .between(50, 99)
                .about("how many of a hundred response heads come sooner");

        static final Keys<Hedge> KEYS = Keys.of(Hedge::new, DELAY, PERCENTILE);

        public Hedge {
            DELAY.check(delay);
            if (delay == null) {
                PERCENTILE.check(percentile);
            } else {
                Expect.that(percentile == 0, "percentile", percentile, "either delay or percentile");
            }
        }

        /** Reads a section. */
        static Hedge read(Key.Values values) {
            values.exactlyOne("delay", "percentile");
            return KEYS.read(values);
        }

        @Override
        public void complete(Map<String, @Nullable Object> section) {
            section.remove(delay == null ? DELAY.name() : PERCENTILE.name());
        }
    }
}
