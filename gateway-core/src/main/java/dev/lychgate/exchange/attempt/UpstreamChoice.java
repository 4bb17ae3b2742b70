package dev.lychgate.exchange.attempt;

import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.generation.RoutePolicies;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.resilience.AttemptTally;
import dev.lychgate.resilience.Protection;
import dev.lychgate.resilience.RetryBudget;
import dev.lychgate.upstream.BalanceContext;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointSet;
import dev.lychgate.upstream.Persistence;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The upstream that attempts go to, its budget, and which of its endpoints were tried: what a balancer chooses by. */
abstract class UpstreamChoice implements BalanceContext {
    final ExchangeState state;
    final LoopUpstreams upstreams;
    private ProxyTarget target;
    private Protection protection;
    RetryBudget.LoopView budget;
    AttemptTally.Cell tally;
    private Persistence.@Nullable Binding binding;
    private List<Endpoint> tried = List.of();

    UpstreamChoice(ExchangeState state, LoopUpstreams upstreams, ProxyTarget target) {
        this.state = state;
        this.upstreams = upstreams;
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

    public final ProxyTarget target() {
        return target;
    }

    /** Goes to another upstream, none of whose endpoints was tried. */
    final void target(ProxyTarget other) {
        target = other;
        binding = bindingOf(other);
        protection = other.upstream().protection();
        budget = protection.budget(upstreams.index());
        tally = protection.tally().onLoop(upstreams.index());
        tried = List.of();
    }

    final RoutePolicies policies() {
        return target.policies();
    }

    /** Returns the endpoint for the next attempt; null if there is none. */
    final @Nullable Endpoint chooseEndpoint() {
        return upstreams.balancers().of(target.subset()).choose(this);
    }

    /** Avoids {@code endpoint} from now on. */
    final void noteTried(Endpoint endpoint) {
        if (tried.isEmpty()) {
            tried = new ArrayList<>(2);
        }
        tried.add(endpoint);
    }

    /** Returns whether the client is bound to an endpoint, if it brings a sign of that. */
    final boolean isBound() {
        return binding != null;
    }

    /** Binds the client to the endpoint whose response is accepted, if the upstream does that. */
    final void bind(Endpoint endpoint, ResponseHead head) {
        Persistence.Binding b = binding;
        if (b != null) {
            b.answered(endpoint, head);
        }
    }

    // ---- what a balancer reads

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

    /** An endpoint whose circuit is open counts as tried: another one goes first. */
    @Override
    public final boolean tried(Endpoint endpoint) {
        return tried.contains(endpoint)
                || protection.isRefusing(
                        endpoint.authority(), upstreams.loop().deadlines().now());
    }
}
