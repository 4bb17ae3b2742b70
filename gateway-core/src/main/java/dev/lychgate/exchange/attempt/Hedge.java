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
 * A second attempt beside one that is slow. It begins when the first takes longer than the route allows; the first of the two that
 * brings a response head continues, the other is cancelled. Exists for requests of routes that hedge; lives on the exchange's
 * event loop.
 */
final class Hedge implements AttemptListener {
    private final Attempts upstream;
    private @Nullable ScheduledFuture<?> timer;
    private @Nullable Attempt second;
    /** The second attempt, even after it has taken the place of the first. */
    private @Nullable Attempt begun;

    Hedge(Attempts upstream) {
        this.upstream = upstream;
    }

    /** If the whole request has been sent with {@code first}, the delay before a second attempt begins. */
    void watch(Attempt first) {
        if (timer != null || second != null || !upstream.request.isSent()) {
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
        Attempt next = upstream.next(this, upstream.upstreams.nanoTime());
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

    /** Returns whether policy and budget permit a second attempt, which the budget pays for. */
    private boolean isPermitted() {
        RetryDecision decision = upstream.policies()
                .hedging()
                .decide(
                        upstream.head().method(),
                        upstream.made(),
                        upstream.request.isWhole(),
                        false,
                        upstream.budget,
                        upstream.upstreams.nanoTime());
        upstream.tally.hedgeDecided(decision);
        return decision.sendsAgain();
    }

    /** The first attempt has failed. @return whether the second one continues in its place */
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

    /** The response of {@code attempt} is accepted. */
    void accept(Attempt attempt) {
        if (begun == attempt) {
            upstream.tally.hedgeWon();
        }
        close();
        int loop = upstream.upstreams.index();
        upstream.policies().latency(loop).record(attempt.latency(), attempt.answeredAt());
    }

    /** There is no second attempt any more. */
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

    // ---- what the second attempt reports

    @Override
    public void onTurn(Attempt attempt) {
        throw new IllegalStateException("a hedge does not wait for a turn");
    }

    @Override
    public void onConnection(Attempt attempt) {
        upstream.request.send(attempt);
    }

    @Override
    public boolean onInformational(Attempt attempt, ResponseHead interim) {
        // Those of the first attempt pass.
        return upstream.state.admitsInterim(interim);
    }

    @Override
    public void onResponseHead(Attempt attempt, ResponseHead head) {
        if (upstream.policies().retry().retriesStatus(head.status())) {
            // As good as none: the first attempt, which is only slow, may bring a better one.
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

    /** The second attempt is cancelled; the first continues alone. */
    private void cancel(Attempt attempt) {
        second = null;
        attempt.end(null);
    }

    @Override
    public void onWritable(Attempt attempt) {
        // Its whole request has been sent.
    }

    @Override
    public boolean onWanted(long patience) {
        return upstream.onWanted(patience);
    }
}
