package dev.lychgate.exchange.attempt;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.AttemptView;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.resilience.Admission;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.Guards;
import dev.lychgate.resilience.LimitShare;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointLoad;

/**
 * Records an attempt. Observers receive its times and its result. The load of the endpoint, the outcomes of the
 * endpoint and the guards of the upstream receive its beginning and its end.
 */
abstract class AttemptRecord extends AttemptView {
    final LoopUpstreams upstreams;
    final ProxyTarget target;
    private final EndpointLoad load;
    /** The permit of the guards, or the reason why they rejected the attempt. */
    final Admission admission;

    private boolean settled;

    AttemptRecord(LoopUpstreams upstreams, ProxyTarget target, Endpoint endpoint, long now) {
        super(endpoint, now);
        this.upstreams = upstreams;
        this.target = target;
        this.load = upstreams.balancers().load(endpoint);
        this.admission = new Admission(target.upstream().protection().tally().onLoop(upstreams.index()));
    }

    /**
     * Acquires a permit from the guards of the upstream. If the guards grant the permit, this method counts the attempt
     * as load of the endpoint.
     *
     * @param share the part of each limit that this request may use; the rest is reserved for requests with a higher
     *     priority
     * @return whether the guards grant the permit
     */
    final boolean enterGuards(LimitShare share) {
        Guards guards = target.upstream().protection().guards(upstreams.index(), endpoint.authority());
        if (!admission.enter(guards, share, began)) {
            return false;
        }
        load.begin();
        return true;
    }

    /** Returns the error for a request that the guards have rejected. */
    final GatewayError refusal() {
        return GatewayError.local(
                admission.refusedWith(), "the circuit breaker or bulkhead of the upstream rejects the request");
    }

    /** Records the end of the attempt. Called once, after {@link #enterGuards}. */
    final void recordEnd() {
        long now = upstreams.turnTime();
        endedAt = now;
        GatewayError why = failure;
        Ending ending = why != null ? Ending.of(why) : status > 0 ? Ending.ofStatus(status) : Ending.IGNORED;
        boolean answered = answeredAt != 0;
        settle(ending, now);
        EndpointLoad.End end = answered
                ? EndpointLoad.End.ANSWERED
                : ending.isFailure() ? EndpointLoad.End.FAILED : EndpointLoad.End.ABANDONED;
        load.end((answered ? answeredAt : now) - began, end, now);
    }

    /** Reports the result to guards and outcomes. Only the first call has an effect. */
    final void settle(Ending ending, long now) {
        if (settled) {
            return;
        }
        settled = true;
        boolean answered = answeredAt != 0;
        long end = answered ? answeredAt : now;
        admission.leave(ending, end, now);
        int index = upstreams.index();
        if (ending.isFailure()) {
            endpoint.outcomes().failed(index, end - began);
        } else if (answered) {
            endpoint.outcomes().answered(index, end - began);
        }
    }

    /** Returns the time until the timeout of this attempt, in nanoseconds; {@link Long#MAX_VALUE} without a timeout. */
    final long remaining(long now) {
        long perTry = target.policies().retry().perTry();
        return perTry > 0 ? Math.max(0, perTry - (now - began)) : Long.MAX_VALUE;
    }

    /** Returns the time from the beginning of the attempt to the response head, in nanoseconds. */
    final long latency() {
        return answeredAt - began;
    }

    /** Sets the reason why this attempt sends the request again. */
    final void repeats(SentAgain why) {
        again = why;
    }

    @Override
    public final String upstream() {
        return target.upstream().name();
    }
}
