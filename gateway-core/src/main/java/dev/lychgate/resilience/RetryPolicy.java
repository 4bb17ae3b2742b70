package dev.lychgate.resilience;

import dev.lychgate.config.RetryConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.http.Methods;
import io.netty.handler.codec.http.HttpMethod;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Retry policy of a route. Immutable and thread-safe. Makes all decisions about retries, after failures and after
 * responses. If the client has received part of a response, the request is not sent again. If a pooled connection was
 * stale, the request is sent again once, without a check of the route's settings and the upstream's retry budget. This
 * requires a request whose body is still complete and that is idempotent or was not processed by the origin. In all
 * other cases, the policy checks the route's settings, then the request's properties, and then the upstream's retry
 * budget.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2">RFC 9110, 9.2.2 Idempotent Methods</a>
 */
public final class RetryPolicy {
    private static final Set<ErrorKind> CONNECT_FAILURES =
            Set.of(ErrorKind.CONNECT_REFUSED, ErrorKind.CONNECT_FAILED, ErrorKind.CONNECT_TIMEOUT);
    private static final Set<ErrorKind> RESETS = Set.of(ErrorKind.ORIGIN_RESET, ErrorKind.ORIGIN_CANCELLED);

    /** The policy without settings. The only retries are those after stale connections. */
    public static final RetryPolicy NONE = new RetryPolicy(null);

    private final boolean off;
    private final RetryConfig config;
    private final Set<ErrorKind> kinds = EnumSet.noneOf(ErrorKind.class);
    private final BitSet statuses = new BitSet();
    private final Backoff backoff;

    private RetryPolicy(@Nullable RetryConfig said) {
        off = said == null;
        config = said == null ? RetryConfig.DEFAULT : said;
        backoff = Backoff.of(config.backoff());
        for (String on : config.on()) {
            switch (on) {
                case RetryConfig.CONNECT_FAILURE -> kinds.addAll(CONNECT_FAILURES);
                case RetryConfig.RESET -> kinds.addAll(RESETS);
                case RetryConfig.TIMEOUT -> kinds.add(ErrorKind.RESPONSE_TIMEOUT);
                default -> statuses.set(Integer.parseInt(on));
            }
        }
    }

    /** Returns the policy of a route; {@link #NONE} if {@code config} is null. */
    public static RetryPolicy of(@Nullable RetryConfig config) {
        return config == null ? NONE : new RetryPolicy(config);
    }

    /** Returns whether a response with this status requires a call of {@link #decide}. Called for every response. */
    public boolean retriesStatus(int status) {
        return !off && statuses.get(status);
    }

    /** Returns the maximum number of bytes of a request body that are kept for a retry; 0 if bodies are not kept. */
    public long bytesToKeep() {
        return off ? 0 : config.body().bytes();
    }

    /**
     * Returns the timeout of an attempt until the response head, in nanoseconds; 0 if attempts have no separate
     * timeout.
     */
    public long perTry() {
        return off ? 0 : config.perTry().toNanos();
    }

    /**
     * Decides whether to send the request again. If the result is {@link RetryDecision#RETRY}, charges the retry
     * budget.
     *
     * @param budget the retry budget of the upstream, in the view of the current event loop
     * @param now the loop's clock, in nanoseconds
     */
    public RetryDecision decide(FailedAttempt failed, RetryBudget.LoopView budget, long now) {
        if (failed.committed()) {
            return RetryDecision.COMMITTED;
        }
        if (isStale(failed)) {
            return RetryDecision.RESEND_FRESH;
        }
        RetryDecision refusal = refusal(failed);
        if (refusal != null) {
            return refusal;
        }
        return budget.tryTake(now) ? RetryDecision.RETRY : RetryDecision.BUDGET_SPENT;
    }

    /**
     * Returns whether the attempt failed because its pooled connection was stale. A stale connection is no evidence
     * that the origin has failed. The request is sent again without a check of the policy, but only once, and only if
     * it is idempotent or the origin has not processed it.
     */
    private boolean isStale(FailedAttempt failed) {
        GatewayError error = failed.error();
        if (error == null || !failed.reused() || failed.resent() || !failed.bodyWhole()) {
            return false;
        }
        // A GOAWAY from an HTTP/2 origin identifies the requests that the origin has not processed.
        boolean left = error.retry() == Retry.UNPROCESSED && error.kind() == ErrorKind.ORIGIN_RESET;
        return left || (error.retry() == Retry.IF_REUSED && isIdempotent(failed.method()));
    }

    private @Nullable RetryDecision refusal(FailedAttempt failed) {
        if (off) {
            return RetryDecision.NO_POLICY;
        }
        GatewayError error = failed.error();
        if (error == null ? !statuses.get(failed.status()) : !kinds.contains(error.kind())) {
            return RetryDecision.NOT_LISTED;
        }
        boolean unseen = error != null && error.retry() == Retry.UNPROCESSED;
        if (!unseen && !isIdempotent(failed.method())) {
            return RetryDecision.NOT_IDEMPOTENT;
        }
        if (!failed.bodyWhole()) {
            return RetryDecision.BODY_GONE;
        }
        if (failed.attempts() >= config.attempts()) {
            return RetryDecision.ATTEMPTS_USED;
        }
        boolean tooLong = failed.retryAfter() > config.retryAfter().toNanos();
        return tooLong || failed.retryAfter() >= failed.remaining() ? RetryDecision.NO_TIME : null;
    }

    /**
     * Returns whether a request with this method may be repeated, because the method is idempotent, or because the
     * route declares all methods idempotent.
     */
    public boolean isIdempotent(HttpMethod method) {
        return (!off && config.idempotent()) || Methods.isIdempotent(method);
    }

    /** Returns whether the route allows another attempt after {@code attempts} attempts. */
    boolean allowsMoreThan(int attempts) {
        return !off && attempts < config.attempts();
    }

    /**
     * Returns the delay before the next attempt, in nanoseconds. The delay is never shorter than {@code Retry-After}.
     * If the backoff is longer than {@code Retry-After}, it is limited to half of the time until the deadline.
     */
    public long delay(FailedAttempt failed, SplittableRandom random) {
        long wanted = Math.max(failed.retryAfter(), backoff.delay(failed.attempts(), random));
        return Math.max(failed.retryAfter(), Math.min(wanted, failed.remaining() / 2));
    }
}
