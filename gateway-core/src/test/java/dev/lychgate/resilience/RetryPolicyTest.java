package dev.lychgate.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of retries: the failures and requests that cause another attempt, and the obstacles. */
class RetryPolicyTest {
    private static final long MS = 1_000_000;
    private static final long FOREVER = Long.MAX_VALUE;

    /** Two attempts, after every failure that can be configured. */
    private static final RetryPolicy POLICY = policy(false);

    private static final RetryPolicy ALL_IDEMPOTENT = policy(true);

    private static RetryPolicy policy(boolean idempotent) {
        return RetryPolicy.of(new RetryConfig(
                2,
                List.of("connect-failure", "reset", "timeout", "503"),
                Duration.ZERO,
                RetryConfig.Backoff.DEFAULT,
                Duration.ofSeconds(1),
                ByteSize.ofKiB(64),
                idempotent,
                null));
    }

    private static RetryBudget.LoopView budget(int minimum) {
        return new RetryBudget(new RetryBudgetConfig(new Percent(0), minimum), 1).onLoop(0);
    }

    @ParameterizedTest(name = "{0}: {1} {2} of {3}, attempt {4} -> {9}")
    @CsvSource(delimiter = '|', textBlock = """
        # policy    | kind              | retry       | method | n | reused | resent | whole | committed | decision
        # -- a stale pooled connection is repaired whatever the policy says
        none        | ORIGIN_RESET      | IF_REUSED   | GET    | 1 | true   | false  | true  | false     | RESEND_FRESH
        none        | ORIGIN_RESET      | IF_REUSED   | PUT    | 1 | true   | false  | true  | false     | RESEND_FRESH
        none        | ORIGIN_RESET      | IF_REUSED   | QUERY  | 1 | true   | false  | true  | false     | RESEND_FRESH
        none        | ORIGIN_RESET      | IF_REUSED   | query  | 1 | true   | false  | true  | false     | NO_POLICY
        none        | ORIGIN_RESET      | IF_REUSED   | POST   | 1 | true   | false  | true  | false     | NO_POLICY
        none        | ORIGIN_RESET      | IF_REUSED   | PUT    | 1 | true   | false  | false | false     | NO_POLICY
        none        | ORIGIN_RESET      | IF_REUSED   | GET    | 2 | true   | true   | true  | false     | NO_POLICY
        none        | ORIGIN_RESET      | IF_REUSED   | GET    | 1 | false  | false  | true  | false     | NO_POLICY
        none        | ORIGIN_RESET      | NEVER       | GET    | 1 | true   | false  | true  | false     | NO_POLICY
        none        | CONNECT_REFUSED   | UNPROCESSED | GET    | 1 | false  | false  | true  | false     | NO_POLICY
        # -- no retry once the client has part of a response
        none        | ORIGIN_RESET      | IF_REUSED   | GET    | 1 | true   | false  | true  | true      | COMMITTED
        listed      | ORIGIN_RESET      | NEVER       | GET    | 1 | true   | false  | true  | true      | COMMITTED
        # -- idempotent methods after listed failures
        listed      | ORIGIN_RESET      | NEVER       | GET    | 1 | false  | false  | true  | false     | RETRY
        listed      | ORIGIN_CANCELLED  | NEVER       | GET    | 1 | false  | false  | true  | false     | RETRY
        listed      | ORIGIN_RESET      | IF_REUSED   | GET    | 1 | false  | false  | true  | false     | RETRY
        listed      | RESPONSE_TIMEOUT  | NEVER       | DELETE | 1 | false  | false  | true  | false     | RETRY
        listed      | RESPONSE_TIMEOUT  | NEVER       | QUERY  | 1 | false  | false  | true  | false     | RETRY
        listed      | CONNECT_TIMEOUT   | UNPROCESSED | HEAD   | 1 | false  | false  | true  | false     | RETRY
        # -- any method after what surely came before the origin saw anything
        listed      | CONNECT_REFUSED   | UNPROCESSED | POST   | 1 | false  | false  | true  | false     | RETRY
        listed      | ORIGIN_RESET      | NEVER       | POST   | 1 | false  | false  | true  | false     | NOT_IDEMPOTENT
        listed      | ORIGIN_RESET      | IF_REUSED   | POST   | 1 | true   | false  | true  | false     | NOT_IDEMPOTENT
        listed      | RESPONSE_TIMEOUT  | NEVER       | PATCH  | 1 | false  | false  | true  | false     | NOT_IDEMPOTENT
        # -- unless the route says that its POST is idempotent
        idempotent  | ORIGIN_RESET      | NEVER       | POST   | 1 | false  | false  | true  | false     | RETRY
        idempotent  | ORIGIN_RESET      | IF_REUSED   | POST   | 1 | true   | false  | true  | false     | RESEND_FRESH
        # -- other failures are not retried
        listed      | MALFORMED_RESPONSE| NEVER       | GET    | 1 | false  | false  | true  | false     | NOT_LISTED
        listed      | POOL_EXHAUSTED    | UNPROCESSED | GET    | 1 | false  | false  | true  | false     | NOT_LISTED
        listed      | EXCHANGE_TIMEOUT  | NEVER       | GET    | 1 | false  | false  | true  | false     | NOT_LISTED
        # -- a body that is not whole any more can't be sent again
        listed      | CONNECT_REFUSED   | UNPROCESSED | POST   | 1 | false  | false  | false | false     | BODY_GONE
        listed      | ORIGIN_RESET      | NEVER       | PUT    | 1 | false  | false  | false | false     | BODY_GONE
        # -- attempts are counted, and an accident is repaired once
        listed      | ORIGIN_RESET      | NEVER       | GET    | 2 | false  | false  | true  | false     | ATTEMPTS_USED
        listed      | ORIGIN_RESET      | NEVER       | GET    | 1 | false  | true   | true  | false     | RETRY
        listed      | ORIGIN_RESET      | IF_REUSED   | GET    | 2 | true   | false  | true  | false     | RESEND_FRESH
        listed      | ORIGIN_RESET      | NEVER       | GET    | 2 | false  | true   | true  | false     | ATTEMPTS_USED
        listed      | ORIGIN_RESET      | IF_REUSED   | GET    | 1 | true   | true   | true  | false     | RETRY
        """)
    void decidesAboutEachFailure(
            String policy,
            ErrorKind kind,
            Retry retry,
            String method,
            int attempts,
            boolean reused,
            boolean resent,
            boolean whole,
            boolean committed,
            RetryDecision decision) {
        GatewayError error = GatewayError.upstream(kind, retry, "test");
        FailedAttempt failed = new FailedAttempt(
                error, 0, HttpMethod.valueOf(method), attempts, resent, reused, whole, committed, 0, FOREVER);
        RetryPolicy asked =
                policy.equals("none") ? RetryPolicy.NONE : policy.equals("listed") ? POLICY : ALL_IDEMPOTENT;

        assertThat(asked.decide(failed, budget(1), 0)).isEqualTo(decision);
    }

    @ParameterizedTest(name = "{0} to a {1} which asks for {2} ms, {3} ms being left -> {4}")
    @CsvSource({
        "503, GET, 0, 5000, RETRY",
        "503, QUERY, 0, 5000, RETRY",
        "503, POST, 0, 5000, NOT_IDEMPOTENT",
        "500, GET, 0, 5000, NOT_LISTED",
        "503, GET, 1000, 5000, RETRY",
        "503, GET, 1001, 5000, NO_TIME",
        "503, GET, 500, 500, NO_TIME"
    })
    void answers(int status, String method, long retryAfter, long remaining, RetryDecision decision) {
        assertThat(POLICY.decide(answered(status, method, retryAfter * MS, remaining * MS), budget(1), 0))
                .isEqualTo(decision);
    }

    private static FailedAttempt answered(int status, String method, long retryAfter, long remaining) {
        return new FailedAttempt(
                null, status, HttpMethod.valueOf(method), 1, false, true, true, false, retryAfter, remaining);
    }

    @Test
    void retriesOnlyListedStatuses() {
        assertThat(POLICY.retriesStatus(503)).isTrue();
        assertThat(POLICY.retriesStatus(200)).isFalse();
        assertThat(RetryPolicy.NONE.retriesStatus(503)).isFalse();
        assertThat(RetryPolicy.NONE.bytesToKeep()).isZero();
    }

    @Test
    void anEmptyBudgetForbidsARetryButNotAResend() {
        GatewayError reset = GatewayError.upstream(ErrorKind.ORIGIN_RESET, Retry.IF_REUSED, "test");
        FailedAttempt fresh = new FailedAttempt(reset, 0, HttpMethod.GET, 1, false, false, true, false, 0, FOREVER);
        FailedAttempt stale = new FailedAttempt(reset, 0, HttpMethod.GET, 1, false, true, true, false, 0, FOREVER);

        assertThat(POLICY.decide(fresh, budget(0), 0)).isEqualTo(RetryDecision.BUDGET_SPENT);
        assertThat(POLICY.decide(stale, budget(0), 0)).isEqualTo(RetryDecision.RESEND_FRESH);
    }

    @Test
    void refusedRetriesCostNoBudget() {
        RetryBudget.LoopView one = budget(1);
        POLICY.decide(answered(503, "POST", 0, FOREVER), one, 0);

        assertThat(POLICY.decide(answered(503, "GET", 0, FOREVER), one, 0)).isEqualTo(RetryDecision.RETRY);
        assertThat(POLICY.decide(answered(503, "GET", 0, FOREVER), one, 0)).isEqualTo(RetryDecision.BUDGET_SPENT);
    }

    @Test
    void theDelayIsAtLeastTheRetryAfterAndLeavesTimeForTheAttempt() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1000; i++) {
            assertThat(POLICY.delay(answered(503, "GET", 300 * MS, FOREVER), random))
                    .isEqualTo(300 * MS);
            assertThat(POLICY.delay(answered(503, "GET", 0, 10 * MS), random)).isBetween(0L, 5 * MS);
        }
    }
}
