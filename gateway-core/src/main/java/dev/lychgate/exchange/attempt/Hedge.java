package dev.lychgate.exchange.attempt;

import dev.lychgate.error.GatewayError;
import dev.lychgate.generation.RoutePolicies;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.resilience.SentAgain;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A second attempt beside one that is slow. It begins when the first takes longer than the route allows; the first of the two that
 * brings a response head goes on, the other is given up. Exists for requests of routes that hedge; lives on the exchange's
 * event loop.
 */
final class Hedge implements AttemptListener {
    /** The attempts that a hedge stands beside. */
    interface Beside {
        /** Returns a second attempt at another endpoint if policy and budget allow it. */
        @Nullable
        Attempt hedge(Attempt first, Hedge listener);

        /** Sends the whole request with {@code second}. */
        void send(Attempt second);

        /** The second attempt takes the place of the first, which ends. */
        void takeOver(Attempt second);

        /** Returns whether a response with that status is as good as none. */
        boolean retriesStatus(int status);

        /** Returns whether the exchange may receive another interim response. */
        boolean admitsInterim(ResponseHead interim);

        void onResponseHead(Attempt attempt, ResponseHead head);

        boolean onWanted(long patience);
    }

    private final Loop loop;
    private final Beside attempts;
    private @Nullable ScheduledFuture<?> timer;
    private @Nullable Attempt second;
    /** The second attempt, even after it has taken the place of the first. */
    private @Nullable Attempt begun;

    Hedge(Loop loop, Beside attempts) {
        this.loop = loop;
        this.attempts = attempts;
    }

    /** The whole request is on its way with {@code first}, and the delay before a second attempt begins. */
    void watch(Attempt first, RoutePolicies policies) {
        if (timer != null || second != null) {
            return;
        }
        long delay = policies.hedging().delay(policies.latency(loop.index()));
        if (delay >= 0) {
            timer = loop.eventLoop().schedule(() -> begin(first), delay, TimeUnit.NANOSECONDS);
        }
    }

    private void begin(Attempt first) {
        timer = null;
        Attempt next = attempts.hedge(first, this);
        if (next == null) {
            return;
        }
        second = next;
        begun = next;
        next.repeats(SentAgain.HEDGE);
        if (next.lease()) {
            attempts.send(next);
        } else {
            next.await(false);
        }
    }

    /** Returns whether {@code attempt} began as the second one. */
    boolean hasBegun(Attempt attempt) {
        return begun == attempt;
    }

    /** The first attempt has failed. @return the second one, which goes on in its place; null if there is none */
    @Nullable
    Attempt release() {
        Attempt other = second;
        second = null;
        return other;
    }

    /** A response head is accepted, or the exchange is over: there is no second attempt any more. */
    void close() {
        ScheduledFuture<?> waiting = timer;
        if (waiting != null) {
            timer = null;
            waiting.cancel(false);
        }
        Attempt loser = release();
        if (loser != null) {
            loser.end();
        }
    }

    // ---- what the second attempt reports

    @Override
    public void onTurn(Attempt attempt) {
        throw new IllegalStateException("a hedge does not wait for a turn");
    }

    @Override
    public void onConnection(Attempt attempt) {
        attempts.send(attempt);
    }

    @Override
    public boolean onInformational(Attempt attempt, ResponseHead interim) {
        // Those of the first attempt pass.
        return attempts.admitsInterim(interim);
    }

    @Override
    public void onResponseHead(Attempt attempt, ResponseHead head) {
        if (attempts.retriesStatus(head.status())) {
            // As good as none: the first attempt, which is only slow, may bring a better one.
            give(attempt);
        } else {
            second = null;
            attempts.takeOver(attempt);
            attempts.onResponseHead(attempt, head);
        }
    }

    @Override
    public void onFailed(Attempt attempt, GatewayError error) {
        give(attempt);
    }

    /** The second attempt is given up; the first continues alone. */
    private void give(Attempt attempt) {
        second = null;
        attempt.end();
    }

    @Override
    public void onWritable(Attempt attempt) {
        // Its whole request has been sent.
    }

    @Override
    public boolean onWanted(long patience) {
        return attempts.onWanted(patience);
    }
}
