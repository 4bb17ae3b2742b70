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
 * When a request of a route is sent again. Immutable; any thread. The one place that decides, for failures and for answers:
 * first what never may be (part of an answer has gone to the client), then the accident that is always repaired (a stale
 * pooled connection), then what the route wants, what the request allows, and last what the upstream's budget pays for.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2">RFC 9110, 9.2.2 Idempotent Methods</a>
 */
public final class RetryPolicy {
    private static final Set<ErrorKind> CONNECT_FAILURES =
            Set.of(ErrorKind.CONNECT_REFUSED, ErrorKind.CONNECT_FAILED, ErrorKind.CONNECT_TIMEOUT);
    private static final Set<ErrorKind> RESETS = Set.of(ErrorKind.ORIGIN_RESET, ErrorKind.ORIGIN_CANCELLED);

    /** Of a route that says nothing: stale connections are still repaired. */
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

    /** What a route says; null if nothing. */
    public static RetryPolicy of(@Nullable RetryConfig config) {
        return config == null ? NONE : new RetryPolicy(config);
    }

    /** Whether an answer with that status is a reason to ask {@link #decide}; asked for every answer. */
    public boolean retriesStatus(int status) {
        return !off && statuses.get(status);
    }

    /** How many bytes of a body are to be kept; 0 if none need be. */
    public long bytesToKeep() {
        return off ? 0 : config.body().bytes();
    }

    /** How long an attempt may take until the response head, in nanoseconds; 0 = no limit of its own. */
    public long perTry() {
        return off ? 0 : config.perTry().toNanos();
    }

    /**
     * Decides. Takes one attempt out of the budget if the answer is {@link RetryDecision#RETRY}.
     *
     * @param budget of the upstream, on this loop
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

    /** Whether the connection was no good any more, which says nothing of the origin: needs no policy. */
    private boolean isStale(FailedAttempt failed) {
        GatewayError error = failed.error();
        if (error == null || !failed.reused() || failed.resent() || !failed.bodyWhole()) {
            return false;
        }
        // An origin of HTTP/2 that leaves a connection says which requests it has not looked at.
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

    /** Whether a request may be done twice: by its method, or since the route says so of all of its methods. */
    public boolean isIdempotent(HttpMethod method) {
        return (!off && config.idempotent()) || Methods.isIdempotent(method);
    }

    /** Whether there may be one attempt more than {@code attempts}. */
    boolean allowsMoreThan(int attempts) {
        return !off && attempts < config.attempts();
    }

    /**
     * How long to wait before the next attempt, in nanoseconds: at least what the origin asks for, and never so long that no
     * time is left for the attempt.
     */
    public long delay(FailedAttempt failed, SplittableRandom random) {
        long wanted = Math.max(failed.retryAfter(), backoff.delay(failed.attempts(), random));
        return Math.max(failed.retryAfter(), Math.min(wanted, failed.remaining() / 2));
    }
}
