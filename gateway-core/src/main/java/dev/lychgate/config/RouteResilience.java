package dev.lychgate.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a route does about failures and overload.
 */
public record RouteResilience(
        @Nullable RetryConfig retry,
        @Nullable BulkheadConfig bulkhead,
        int priority,
        OnFailure onFailure,
        @Nullable String deadlineHeader) {
    public static final int HIGHEST_PRIORITY = 9;

    private static final Key<RetryConfig> RETRY = Key.section("retry", null, () -> RetryConfig.KEYS)
            .absent("never again")
            .about("when a request is sent again: an idempotent method, or a failure that surely came before "
                    + "the origin saw anything, never after the answer has begun, and within the upstream's "
                    + "`retry-budget`; another endpoint first");

    private static final Key<BulkheadConfig> BULKHEAD = Key.section("bulkhead", null, () -> BulkheadConfig.KEYS)
            .absent("no limit")
            .about("how many of its exchanges may be under way; the rest is refused at once with 503");
    private static final Key<Integer> PRIORITY = Key.number("priority", 5)
            .between(0, HIGHEST_PRIORITY)
            .about("who goes first when the gateway is overloaded: 0 is refused first, 9 never; see `shedding`");
    private static final Key<OnFailure> ON_FAILURE = Key.typed(
                    "on-failure",
                    Form.section(OnFailure::mapping).or(Form.words(List.of("fail-fast"), word -> OnFailure.FAIL_FAST)),
                    OnFailure.FAIL_FAST)
            .absent("`fail-fast`")
            .about("what is done when the upstream has failed, after the last attempt and before any of an "
                    + "answer was sent: an error, or one of the three below; see [resilience](resilience.md)");
    private static final Key<String> DEADLINE_HEADER = Key.typed("deadline-header", Form.FIELD_NAME, null)
            .called("text")
            .about("the name of a header field, `x-request-timeout-ms` for one, that tells origins how many "
                    + "milliseconds they have; see [resilience](resilience.md#one-deadline)");

    static final Keys<RouteResilience> KEYS =
            Keys.of(RouteResilience::new, RETRY, BULKHEAD, PRIORITY, ON_FAILURE, DEADLINE_HEADER);

    public static final RouteResilience DEFAULT = KEYS.defaults();

    public RouteResilience {
        PRIORITY.check(priority);
        if (deadlineHeader != null) {
            DEADLINE_HEADER.check(deadlineHeader);
            Expect.that(
                    !OwnFields.isReserved(deadlineHeader) && !OwnFields.isTold(deadlineHeader),
                    "deadline-header",
                    deadlineHeader,
                    "a field that is neither about the connection nor the gateway's own");
        }
    }

    /** Origins are not told how long they have. */
    public RouteResilience(
            @Nullable RetryConfig retry, @Nullable BulkheadConfig bulkhead, int priority, OnFailure onFailure) {
        this(retry, bulkhead, priority, onFailure, null);
    }
}
