package dev.lychgate.exchange.attempt;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.generation.RoutePolicies;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.resilience.RetryDecision;
import dev.lychgate.resilience.SentAgain;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A second attempt that runs concurrently with a slow first attempt. It begins when the first attempt exceeds the
 * hedging delay. The attempt that first receives a response head continues; the other attempt is cancelled. Created
 * only for routes that hedge. Used on the exchange's event loop.
 */
final class Hedge implements AttemptListener {
    private final Attempts upstream;
    private @Nullable ScheduledFuture<?> timer;
    private @Nullable Attempt second;
    /** The second attempt. The field stays set after the second attempt has replaced the first attempt. */
    private @Nullable Attempt begun;

    Hedge(Attempts upstream) {
        this.upstream = upstream;
    }

    /** Schedules the second attempt if {@code first} has sent the whole request. */
    void watch(Attempt first) {
        if (timer != null || second != null || !first.isSending() || !upstream.request.isSent()) {
            return;
        }
        Loop loop = upstream.upstreams.loop();
        RoutePolicies policies = upstream.policies();
        long delay = policies.hedging().delay(policies.latency(loop.index()));
        if (delay >= 0) {
            timer = loop.eventLoop().schedule(() -> begin(first), delay, TimeUnit.NANOSECONDS);
        }
    }

    private void begin(Attempt first) {
        timer = null;
        if (!first.isSending() || upstream.state.phase() != Phase.FORWARDING || !isPermitted()) {
            return;
        }
        upstream.noteTried(first.endpoint());
        Attempt next = upstream.next(this, upstream.upstreams.turnTime());
        if (next == null || !next.enter()) {
            return;
        }
        upstream.tally.again(SentAgain.HEDGE);
        upstream.state.hedgeBegan(next, first);
        second = next;
        begun = next;
        next.repeats(SentAgain.HEDGE);
        if (next.lease()) {
            onConnection(next);
        } else {
            next.await(false);
        }
    }

    /**
     * Returns whether the policy and the budget permit a second attempt. If both permit the attempt, this method
     * charges the attempt to the budget.
     */
    private boolean isPermitted() {
        RetryDecision decision = upstream.policies()
                .hedging()
                .decide(
                        upstream.head().method(),
                        upstream.made(),
                        upstream.request.isWhole(),
                        false,
                        upstream.budget,
                        upstream.upstreams.turnTime());
        upstream.tally.hedgeDecided(decision);
        return decision.sendsAgain();
    }

    /**
     * Handles the failure of the first attempt.
     *
     * @return whether the second attempt replaces the first
     */
    boolean takesOver() {
        Attempt other = release();
        if (other != null) {
            upstream.takeOver(other);
        }
        return other != null;
    }

    private @Nullable Attempt release() {
        Attempt other = second;
        second = null;
        return other;
    }

    /** Records the accepted response of {@code attempt} and ends the hedge. */
    void accept(Attempt attempt) {
        if (begun == attempt) {
            upstream.tally.hedgeWon();
        }
        close();
        int loop = upstream.upstreams.index();
        upstream.policies().latency(loop).record(attempt.latency(), attempt.answeredAt());
    }

    /** Cancels the timer and the second attempt. */
    void close() {
        ScheduledFuture<?> waiting = timer;
        if (waiting != null) {
            timer = null;
            waiting.cancel(false);
        }
        Attempt loser = release();
        if (loser != null) {
            loser.end(null);
        }
    }

    // ---- events of the second attempt

    @Override
    public void onTurn(Attempt attempt) {
        throw new IllegalStateException("a hedge does not wait for a turn");
    }

    @Override
    public void onConnection(Attempt attempt) {
        if (upstream.request.isWhole()) {
            upstream.request.send(attempt);
        } else {
            // The memory budget has reclaimed the kept body while the attempt waited.
            cancel(attempt);
        }
    }

    @Override
    public boolean onInformational(Attempt attempt, ResponseHead interim) {
        // Interim responses are relayed only for the first attempt.
        return upstream.state.admitsInterim(interim);
    }

    @Override
    public void onResponseHead(Attempt attempt, ResponseHead head) {
        if (upstream.policies().retry().retriesStatus(head.status())) {
            // The first attempt continues. It is slow but has not failed, so it may still receive a better response.
            cancel(attempt);
        } else {
            second = null;
            upstream.takeOver(attempt);
            upstream.onResponseHead(attempt, head);
        }
    }

    @Override
    public void onFailed(Attempt attempt, GatewayError error) {
        cancel(attempt);
    }

    /** Ends the second attempt. The first attempt continues. */
    private void cancel(Attempt attempt) {
        second = null;
        attempt.end(null);
    }

    @Override
    public void onWritable(Attempt attempt) {
        // Nothing remains to be written, because a hedge sends the whole request at once.
    }

    @Override
    public boolean onWanted(long patience) {
        return upstream.onWanted(patience);
    }
}
