package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The retry policy of a route. Under every policy, a request is retried only if its method is idempotent, or if the
 * attempt certainly failed before the origin processed the request.
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
            .about("the maximum number of attempts per request, including the first");

    private static final Key<List<String>> ON = Key.typed(
                    "on",
                    Form.list(Form.TEXT.matching(FORM, "connect-failure, reset, timeout, or a status such as \"503\"")),
                    List.of(CONNECT_FAILURE, RESET))
            .about("the failures that are retried: `connect-failure`, `reset` (`origin-reset` and "
                    + "`origin-cancelled`), `timeout` (no response head in time), or a status from `\"400\"` "
                    + "to `\"599\"`");
    private static final Key<Duration> PER_TRY = Key.duration("per-try", "0")
            .about("the timeout of one attempt until the response head; `0` = no limit per attempt");
    private static final Key<Backoff> BACKOFF = Key.section("backoff", Backoff.KEYS)
            .about("the delay before a retry: a random time between zero and a bound that doubles with each attempt");
    private static final Key<Duration> RETRY_AFTER = Key.duration("retry-after", "1s")
            .about("the longest `Retry-After` for which the gateway waits before a retry; a response with a longer "
                    + "`Retry-After` is sent to the client");
    private static final Key<ByteSize> BODY = Key.size("body", "64KiB")
            .atMost("16MiB")
            .about("the maximum number of bytes of a request body that are buffered for a retry; a request with a "
                    + "longer body is not retried");
    private static final Key<Boolean> IDEMPOTENT =
            Key.flag("idempotent", false).about("treats every method of this route as idempotent, including POST");
    private static final Key<Hedge> HEDGE = Key.section("hedge", null, Hedge::read)
            .absent("never")
            .about("the hedging of slow attempts: a second attempt runs concurrently, within the limits of `attempts` "
                    + "and the retry budget; set exactly one of `delay` and `percentile`");

    static final Keys<RetryConfig> KEYS =
            Keys.of(RetryConfig::new, ATTEMPTS, ON, PER_TRY, BACKOFF, RETRY_AFTER, BODY, IDEMPOTENT, HEDGE);

    public static final RetryConfig DEFAULT = KEYS.defaults();

    public RetryConfig {
        KEYS.check(attempts, on, perTry, backoff, retryAfter, body, idempotent, hedge);
        on = Expect.copy(on);
    }

    /**
     * An exponential backoff with full jitter: the delay is a random time between zero and a bound that doubles with
     * each attempt.
     */
    public record Backoff(Duration base, Duration max) {
        private static final Key<Duration> BASE =
                Key.duration("base", "25ms").positive().about("the longest delay before the second attempt");

        private static final Key<Duration> MAX =
                Key.duration("max", "250ms").about("the longest delay before any attempt; at least `base`");

        static final Keys<Backoff> KEYS = Keys.of(Backoff::new, BASE, MAX);

        public static final Backoff DEFAULT = KEYS.defaults();

        public Backoff {
            BASE.check(base);
            Expect.that(max.compareTo(base) >= 0, "max", Durations.print(max), ">= base " + Durations.print(base));
        }
    }

    /**
     * The hedging of slow attempts: a second attempt starts after a fixed delay, or when the first attempt exceeds a
     * percentile of the latency. Exactly one of the components is set. The second attempt counts against the maximum
     * number of attempts and the retry budget.
     */
    public record Hedge(@Nullable Duration delay, int percentile) implements WrittenConfig.Section {
        private static final Key<Duration> DELAY = Key.typed("delay", Form.DURATION, null)
                .absent("-")
                .positive()
                .about("the delay from the start of the first attempt to the start of the second attempt");
        private static final Key<Integer> PERCENTILE = Key.number("percentile", 0)
                .absent("-")
                .between(50, 99)
                .about("the percentile of the time to the response head after which the second attempt starts");

        static final Keys<Hedge> KEYS = Keys.of(Hedge::new, DELAY, PERCENTILE);

        public Hedge {
            DELAY.check(delay);
            if (delay == null) {
                PERCENTILE.check(percentile);
            } else {
                Expect.that(percentile == 0, "percentile", percentile, "either delay or percentile");
            }
        }

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
