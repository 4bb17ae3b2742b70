package dev.lychgate.exchange.attempt;

import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.generation.RoutePolicies;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.resilience.AttemptTally;
import dev.lychgate.resilience.FailedAttempt;
import dev.lychgate.resilience.Protection;
import dev.lychgate.resilience.RetryBudget;
import dev.lychgate.resilience.RetryDecision;
import dev.lychgate.resilience.RetryPolicy;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.upstream.BalanceContext;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointSet;
import dev.lychgate.upstream.Persistence;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The current upstream of an exchange, with its retry budget and the previous attempts. Decides whether another attempt
 * follows, and provides the facts from which a balancer chooses an endpoint.
 */
abstract class UpstreamChoice implements BalanceContext {
    final ExchangeState state;
    final LoopUpstreams upstreams;
    final AttemptOwner owner;
    final OutgoingRequest request;
    private ProxyTarget target;
    private Protection protection;
    RetryBudget.LoopView budget;
    AttemptTally.Cell tally;
    private Persistence.@Nullable Binding binding;
    private List<Endpoint> tried = List.of();
    /** The number of attempts at earlier upstreams. */
    private int before;
    /** Whether the request was sent again because a connection was stale. */
    private boolean resent;
    /** The reason why the next attempt sends the request again; null for the first attempt. */
    private @Nullable SentAgain repeats;

    UpstreamChoice(
            ExchangeState state,
            LoopUpstreams upstreams,
            AttemptOwner owner,
            ProxyTarget target,
            OutgoingRequest request) {
        this.state = state;
        this.upstreams = upstreams;
        this.owner = owner;
        this.request = request;
        this.target = target;
        this.protection = target.upstream().protection();
        this.budget = protection.budget(upstreams.index());
        this.tally = protection.tally().onLoop(upstreams.index());
        this.binding = bindingOf(target);
    }

    private Persistence.@Nullable Binding bindingOf(ProxyTarget to) {
        Persistence persistence = to.upstream().persistence();
        return persistence == null
                ? null
                : persistence.read(state.requireRequestHead(), state.client().getAddress());
    }

    /** Sets the observer of the sent request. Called before the first attempt. */
    public final void tap(RequestTap tap) {
        request.tap(tap);
    }

    public final ProxyTarget target() {
        return target;
    }

    /** Switches to another upstream. No endpoint of the other upstream counts as tried. */
    final void target(ProxyTarget other) {
        target = other;
        binding = bindingOf(other);
        protection = other.upstream().protection();
        budget = protection.budget(upstreams.index());
        tally = protection.tally().onLoop(upstreams.index());
        tried = List.of();
        before = state.attempts();
        resent = false;
        repeats = null;
    }

    final RoutePolicies policies() {
        return target.policies();
    }

    /**
     * Creates an attempt at the endpoint that the balancer chooses. The attempt has not begun. Returns null if there is
     * no usable endpoint.
     */
    final @Nullable Attempt next(AttemptListener listener, long began) {
        Endpoint endpoint = upstreams.balancers().of(target.subset()).choose(this);
        return endpoint == null
                ? null
                : new Attempt(state, upstreams, listener, owner.responseBody(), target, endpoint, began);
    }

    /**
     * Returns the number of attempts at this upstream. An attempt that failed because its connection was stale does not
     * count.
     */
    final int made() {
        return state.attempts() - before - (resent ? 1 : 0);
    }

    /**
     * Records the reason why {@code next} sends the request again. Has no effect if {@code next} sends the request for
     * the first time.
     */
    final void countRepeat(Attempt next) {
        SentAgain why = repeats;
        if (why != null) {
            next.repeats(why);
            tally.again(why);
        }
    }

    /**
     * Decides whether to retry after {@code last}. If so, charges the retry to the budget.
     *
     * @param error the error of the attempt; null if the attempt received a response that counts as a failure
     * @param status the status of that response; 0 without a response
     * @param patience the value of {@code Retry-After} in the response, in nanoseconds; 0 without a value
     * @return the delay of the retry, in nanoseconds; negative if there is no retry
     */
    final long delayOfRetry(Attempt last, @Nullable GatewayError error, int status, long patience) {
        long now = upstreams.turnTime();
        FailedAttempt failed = new FailedAttempt(
                error,
                status,
                head().method(),
                made(),
                resent,
                last.isReused(),
                request.isWhole(),
                false,
                patience,
                state.remaining(now));
        RetryPolicy policy = policies().retry();
        RetryDecision decision = policy.decide(failed, budget, now);
        tally.retryDecided(decision);
        if (!decision.sendsAgain()) {
            return -1;
        }
        boolean fresh = decision == RetryDecision.RESEND_FRESH;
        repeats = fresh ? SentAgain.STALE : SentAgain.RETRY;
        resent |= fresh;
        if (binding == null || !fresh) {
            // A stale connection does not indicate a failure of its endpoint, so a client that is bound to the endpoint
            // stays there.
            noteTried(last.endpoint());
        }
        return fresh ? 0 : policy.delay(failed, upstreams.loop().random());
    }

    /**
     * Returns whether the request may be sent to another upstream. The body must be available to be sent again. In
     * addition, either it is certain that no origin has processed the request, or the method of the request is
     * idempotent.
     *
     * @param error the failure; null if the failure is a response that counts as a failure
     */
    public final boolean maySwitch(@Nullable GatewayError error) {
        boolean unseen = error != null && (error.retry() == Retry.UNPROCESSED || error.side() == Side.LOCAL);
        return request.isWhole() && (unseen || policies().retry().isIdempotent(head().method()));
    }

    /** Records that {@code endpoint} was tried, so that later attempts avoid this endpoint if possible. */
    final void noteTried(Endpoint endpoint) {
        if (tried.isEmpty()) {
            tried = new ArrayList<>(2);
        }
        tried.add(endpoint);
    }

    /** Binds the client to the endpoint of the accepted response, if the upstream uses persistence. */
    final void bind(Endpoint endpoint, ResponseHead head) {
        Persistence.Binding b = binding;
        if (b != null) {
            b.answered(endpoint, head);
        }
    }

    // ---- balance context

    @Override
    public final RequestHead head() {
        return state.requireRequestHead();
    }

    @Override
    public final InetAddress clientAddress() {
        return state.client().getAddress();
    }

    @Override
    public final boolean isFirst() {
        return tried.isEmpty() && !protection.isPerEndpoint();
    }

    @Override
    public final @Nullable Endpoint preferred(EndpointSet set) {
        Persistence.Binding b = binding;
        return b == null ? null : b.preferred(set);
    }

    /**
     * Returns whether the balancer prefers other endpoints to {@code endpoint}, because an earlier attempt has tried
     * {@code endpoint}, or because the circuit of {@code endpoint} is open.
     */
    @Override
    public final boolean tried(Endpoint endpoint) {
        return tried.contains(endpoint)
                || protection.isRefusing(
                        endpoint.authority(), upstreams.loop().deadlines().now());
    }
}
