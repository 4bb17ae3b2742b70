package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a route sends a request again, and how often. A request that must not be done twice is never sent again, whatever
 * stands here: it needs an idempotent method, or a failure that surely came before the origin saw anything.
 *
 * @param attempts how often a request is sent at most, the first time included; default 2
 * @param on after which failures: {@code connect-failure}, {@code reset}, {@code timeout}, or a status from 400 to 599;
 *     default connect-failure and reset
 * @param perTry how long one attempt may take until the response head; 0 = no limit of its own, the default
 * @param backoff how long to wait before sending again
 * @param retryAfter the longest {@code Retry-After} that is waited for; a longer one ends it; default 1s
 * @param body how many bytes of a request body are kept for sending it again; longer bodies are sent once; default 64KiB
 * @param idempotent whether every method of this route may be done twice, POST too; default false
 * @param hedge when a second attempt is begun beside one that is slow; null = never, the default
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

    public static final RetryConfig DEFAULT = new RetryConfig(
            2,
            List.of(CONNECT_FAILURE, RESET),
            Duration.ZERO,
            Backoff.DEFAULT,
            Duration.ofSeconds(1),
            ByteSize.ofKiB(64),
            false,
            null);

    private static final String FORM = CONNECT_FAILURE + "|" + RESET + "|" + TIMEOUT + "|[45]\\d\\d";

    public RetryConfig {
        Expect.between(1, 10, "attempts", attempts);
        on = Expect.copy(on);
        for (String each : on) {
            Expect.that(each.matches(FORM), "on", each, "connect-failure, reset, timeout, or a status such as \"503\"");
        }
        Expect.notNegative("per-try", perTry);
        Expect.notNegative("retry-after", retryAfter);
        Expect.that(body.bytes() <= 16 << 20, "body", body, "at most 16MiB");
    }

    /**
     * Waiting that doubles with each attempt; how much of it is waited is left to chance, from none to all.
     *
     * @param base at most this before the second attempt; default 25ms
     * @param max at most this before any attempt; default 250ms
     */
    public record Backoff(Duration base, Duration max) {
        public static final Backoff DEFAULT = new Backoff(Duration.ofMillis(25), Duration.ofMillis(250));

        public Backoff {
            Expect.positive("base", base);
            Expect.that(max.compareTo(base) >= 0, "max", Durations.print(max), ">= base " + Durations.print(base));
        }
    }

    /**
     * When a second attempt is begun beside the first: after a fixed time, or when the first takes longer than most do.
     * Exactly one of the two is said. Within the attempts and the budget of retries.
     *
     * @param delay how long the first attempt has; null if the percentile says
     * @param percentile how many of a hundred response heads come sooner; 50 to 99; 0 if the delay says
     */
    public record Hedge(@Nullable Duration delay, int percentile) {
        public Hedge {
            if (delay != null) {
                Expect.positive("delay", delay);
                Expect.that(percentile == 0, "percentile", percentile, "either delay or percentile");
            } else {
                Expect.between(50, 99, "percentile", percentile);
            }
        }
    }
}
