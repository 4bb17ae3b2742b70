package dev.lychgate.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The resilience settings of a route. */
public record RouteResilience(
        @Nullable RetryConfig retry,
        @Nullable BulkheadConfig bulkhead,
        int priority,
        OnFailure onFailure,
        @Nullable String deadlineHeader) {
    public static final int HIGHEST_PRIORITY = 9;

    private static final Key<RetryConfig> RETRY = Key.section("retry", null, () -> RetryConfig.KEYS)
            .absent("no retries")
            .about("the retry policy: a retry requires an idempotent method, or a failure that certainly occurred "
                    + "before the origin processed the request; a request is never retried after the response has "
                    + "begun; a retry counts against the `retry-budget` of the upstream, and uses another endpoint if "
                    + "possible");

    private static final Key<BulkheadConfig> BULKHEAD = Key.section("bulkhead", null, () -> BulkheadConfig.KEYS)
            .absent("no limit")
            .about("the maximum number of concurrent exchanges of the route; further requests are rejected at once "
                    + "with 503");
    private static final Key<Integer> PRIORITY = Key.number("priority", 5)
            .between(0, HIGHEST_PRIORITY)
            .about("the priority under overload: 0 is rejected first; see [priorities](overload.md#priorities)");
    private static final Key<OnFailure> ON_FAILURE = Key.typed(
                    "on-failure",
                    Form.section(OnFailure::mapping).or(Form.words(List.of("fail-fast"), word -> OnFailure.FAIL_FAST)),
                    OnFailure.FAIL_FAST)
            .absent("`fail-fast`")
            .about("the action if the last attempt at the upstream has failed and no part of a response was sent: "
                    + "`fail-fast` responds with an error; a section contains one of the three actions below; see "
                    + "[resilience](resilience.md)");
    private static final Key<String> DEADLINE_HEADER = Key.typed("deadline-header", Form.FIELD_NAME, null)
            .called("text")
            .about("the name of a header field, such as `x-request-timeout-ms`, that sends the remaining "
                    + "milliseconds of the deadline to origins; see [resilience](resilience.md#one-deadline)");

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
                    "a header field that is neither connection-specific nor reserved for the gateway");
        }
    }

    /** Creates settings without a deadline header. */
    public RouteResilience(
            @Nullable RetryConfig retry, @Nullable BulkheadConfig bulkhead, int priority, OnFailure onFailure) {
        this(retry, bulkhead, priority, onFailure, null);
    }
}
