package dev.lychgate.exchange;

import dev.lychgate.generation.RoutePolicies;
import dev.lychgate.resilience.RetryBudget;
import dev.lychgate.resilience.RetryDecision;
import dev.lychgate.resilience.SentAgain;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A second attempt beside one that is slow: begun when the first has taken longer than its route lets it, and for whichever
 * of the two brings a response head first the other is given up. Lives on the exchange's event loop; made for requests of
 * routes that hedge.
 */
final class Hedge {
    private final Exchange exchange;
    private final Worker worker;
    private final Attempts attempts;
    private @Nullable ScheduledFuture<?> timer;
    private @Nullable Attempt second;
    /** The second attempt, for as long as the exchange lives: in whoever's place it is. */
    private @Nullable Attempt begun;

    Hedge(Exchange exchange, Worker worker, Attempts attempts) {
        this.exchange = exchange;
        this.worker = worker;
        this.attempts = attempts;
    }

    /** An attempt has its request on the way: its time runs, if the whole request is there to be sent again. */
    void watch() {
        boolean whole =
                exchange.request() == Half.DONE && !exchange.forwarding().hasUnsent();
        if (timer != null || second != null || !whole) {
            return;
        }
        RoutePolicies policies = attempts.target().policies();
        long delay = policies.hedging().delay(policies.latency(worker.loop().index()));
        if (delay >= 0) {
            timer = worker.loop().eventLoop().schedule(this::begin, delay, TimeUnit.NANOSECONDS);
        }
    }

    private void begin() {
        timer = null;
        Attempt first = exchange.sending();
        if (first == null || exchange.phase() != Phase.FORWARDING) {
            return;
        }
        RetryBudget.LoopView budget = attempts.budget();
        RetryDecision decision = attempts.target()
                .policies()
                .hedging()
                .decide(
                        exchange.requireHead().method(),
                        attempts.made(),
                        attempts.isBodyWhole(),
                        false,
                        budget,
                        worker.loop().nanoTime());
        attempts.tally().hedgeDecided(decision);
        if (!decision.sendsAgain()) {
            return;
        }
        Attempt next = attempts.beside(first);
        if (next == null) {
            return;
        }
        second = next;
        begun = next;
        next.repeats(SentAgain.HEDGE);
        attempts.tally().again(SentAgain.HEDGE);
        exchange.record().attempts++;
        exchange.timeline().attemptBegins(next);
        exchange.timeline().goesOnWith(first);
        if (next.start(false)) {
            send(next);
        } else {
            next.await(false);
        }
    }

    /** Whether {@code attempt} is the second one. */
    boolean is(Attempt attempt) {
        return second == attempt;
    }

    /** Whether {@code attempt} was the second one when it began; it may be the only one by now. */
    boolean hasBegun(Attempt attempt) {
        return begun == attempt;
    }

    /** The connection for the second attempt is there. */
    void send(Attempt attempt) {
        exchange.forwarding().sendWhole(attempt);
    }

    /** The second attempt has brought a head: it takes the place of the first. */
    void wins(Attempt attempt) {
        second = null;
        exchange.endAttempt(null);
        takeOver(attempt);
    }

    /** The second attempt has come to nothing: the first goes on alone. */
    void fails(Attempt attempt) {
        second = null;
        attempt.end();
    }

    /** The first attempt has come to nothing. @return whether the second one goes on in its place */
    boolean replaces(Attempt first) {
        Attempt other = second;
        if (other == null) {
            return false;
        }
        second = null;
        first.end();
        takeOver(other);
        return true;
    }

    private void takeOver(Attempt attempt) {
        exchange.attempt(attempt);
        exchange.timeline().goesOnWith(attempt);
        exchange.record().endpoint = attempt.endpoint();
        exchange.become(attempt.isSending() ? Phase.FORWARDING : Phase.CONNECTING);
    }

    /** One attempt has brought a head that is taken, or the exchange is over: there is no other any more. */
    void close() {
        ScheduledFuture<?> waiting = timer;
        if (waiting != null) {
            timer = null;
            waiting.cancel(false);
        }
        Attempt loser = second;
        if (loser != null) {
            second = null;
            loser.end();
        }
    }
}
