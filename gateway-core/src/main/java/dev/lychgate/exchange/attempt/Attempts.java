package dev.lychgate.exchange.attempt;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.resilience.Admission;
import dev.lychgate.resilience.Hedging;
import dev.lychgate.resilience.RetryAfter;
import dev.lychgate.resilience.SentAgain;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one exchange. The first methods are the last steps of a request, in their order; those from {@link #choose} on
 * are repeated for each attempt. Decides whether an attempt follows one that failed. Lives on the exchange's event loop.
 */
public final class Attempts extends UpstreamChoice implements AttemptListener {
    private @Nullable ScheduledFuture<?> pause;
    private @Nullable Hedge hedge;
    private @Nullable Attempt current;
    /** When the next attempt begins, in nanoseconds. */
    private long now;

    /**
     * @param path the path and query for the origin
     * @param deadline the field that carries the remaining time; null if the route sends none
     */
    public Attempts(
            ExchangeState state,
            LoopUpstreams upstreams,
            AttemptOwner owner,
            ProxyTarget target,
            String path,
            @Nullable DeadlineField deadline) {
        super(state, upstreams, owner, target, new OutgoingRequest(state, owner, path, deadline));
    }

    // ---- the steps

    /** Prepares what retries and hedges need: the kept body and the budget. */
    public boolean prepareRetries() {
        if (state.request() == Half.BODY && policies().bytesToKeep() > 0) {
            request.keep(upstreams.loop().memory(), policies().bytesToKeep());
        }
        if (policies().hedging() != Hedging.NONE && head().protocol() == null) {
            hedge = new Hedge(this);
        }
        now = upstreams.nanoTime();
        budget.sent(now);
        return true;
    }

    /** Chooses an endpoint. @return false if the upstream has none, and the exchange ends by that */
    public boolean choose() {
        state.become(Phase.CONNECTING);
        // It stood beside an attempt that is over, possibly at another upstream.
        closeHedge();
        current = next(this, now);
        if (current == null) {
            owner.onExhausted(
                    GatewayError.local(ErrorKind.NO_ENDPOINT, "the upstream has no endpoint that may be used"), 0);
        }
        return current != null;
    }

    /** Asks the upstream's guards for a permit. @return false if they refuse, and the exchange ends by that */
    public boolean enterEndpoint() {
        Attempt next = requireCurrent();
        if (!next.enter()) {
            current = null;
            refuse(next.admission, "the upstream is protected from more requests");
            return false;
        }
        countRepeat(next);
        state.attemptBegan(next);
        return true;
    }

    private void refuse(Admission refused, String detail) {
        owner.onExhausted(GatewayError.local(refused.refusedWith(), detail), refused.retryAfterSeconds());
    }

    /** Begins within the quota of this turn of the loop. @return false if the attempt waits for the next turn */
    public boolean takeTurn() {
        if (upstreams.loop().turn().begin()) {
            return true;
        }
        request.pause();
        requireCurrent().awaitTurn();
        return false;
    }

    /** Leases a connection. @return false if the attempt waits for one */
    public boolean lease() {
        Attempt next = requireCurrent();
        boolean fresh = next.again() == SentAgain.STALE;
        if (!fresh && next.lease()) {
            return true;
        }
        request.pause();
        next.await(fresh);
        return false;
    }

    /** Sends the head, and of the body what is there; the rest follows as it arrives. */
    public boolean send() {
        Attempt attempt = requireCurrent();
        state.become(Phase.FORWARDING);
        if (request.frame()) {
            request.send(attempt);
            watch(attempt);
        }
        if (request.readOn()) {
            flush();
        }
        return true;
    }

    private Attempt requireCurrent() {
        Attempt attempt = current;
        if (attempt == null) {
            throw state.unexpected("no attempt");
        }
        return attempt;
    }

    // ---- the attempt under way

    /** Returns the connection of the attempt, or its stream of one, if it has one and may use it; null otherwise. */
    public @Nullable OriginStream sending() {
        Attempt attempt = current;
        return attempt != null && attempt.isSending() ? attempt.stream() : null;
    }

    /** Sends what has been written. */
    public void flush() {
        OriginStream origin = sending();
        if (origin != null) {
            origin.flush();
        }
    }

    /** A chunk of the request body has arrived, which no filter awaits; it is owned here. */
    public void onRequestBody(ByteBuf chunk) {
        request.onChunk(chunk, sending());
    }

    /** The request is complete, and no filter awaits its end. */
    public void onRequestEnd() {
        OriginStream origin = sending();
        if (origin != null && request.onEnd(origin)) {
            watch(requireCurrent());
        }
    }

    private void watch(Attempt attempt) {
        if (hedge != null) {
            hedge.watch(attempt);
        }
    }

    @Override
    public void onWritable(Attempt attempt) {
        boolean wasSent = request.isSent();
        if (request.resume(attempt.stream())) {
            state.downstream().resumeReading();
        }
        if (!wasSent) {
            watch(attempt);
        }
        flush();
    }

    @Override
    public void onTurn(Attempt attempt) {
        owner.onTurn();
    }

    @Override
    public void onConnection(Attempt attempt) {
        if (state.phase() != Phase.CONNECTING) {
            throw state.unexpected("a connection");
        }
        owner.onConnection();
    }

    @Override
    public boolean onWanted(long patience) {
        return owner.onConnectionWanted(patience);
    }

    @Override
    public boolean onInformational(Attempt attempt, ResponseHead interim) {
        if (!state.admitsInterim(interim)) {
            return false;
        }
        owner.onInformational(interim);
        return true;
    }

    /** The retry policy, the hedge or a fallback may discard a response with this head. */
    @Override
    public void onResponseHead(Attempt attempt, ResponseHead head) {
        if (state.phase() != Phase.FORWARDING) {
            throw state.unexpected("a response head");
        }
        if (policies().retry().retriesStatus(head.status())) {
            if (continuesWithHedge()) {
                return;
            }
            long patience =
                    RetryAfter.nanos(head.headers().get(HttpHeaderNames.RETRY_AFTER), System.currentTimeMillis());
            if (retries(attempt, null, head.status(), patience)) {
                return;
            }
        }
        if (!policies().isFailure(head.status()) || !owner.onFailureStatus(head)) {
            accept(head);
        }
    }

    /** The response of the current attempt is the exchange's: there will be no other attempt. */
    public void accept(ResponseHead head) {
        Attempt by = requireCurrent();
        request.dropReplay();
        if (hedge != null) {
            hedge.accept(by);
        }
        bind(by.endpoint(), head);
        owner.onResponse(by, head);
    }

    // ---- after a failure

    @Override
    public void onFailed(Attempt attempt, GatewayError error) {
        if (owner.onTunnelFailed()) {
            return;
        }
        boolean open = state.phase() == Phase.FORWARDING || state.phase() == Phase.CONNECTING;
        if (!open) {
            owner.fail(error);
        } else if (!continuesWithHedge() && !retries(attempt, error, 0, 0)) {
            owner.onExhausted(error, 0);
        }
    }

    private boolean retries(Attempt last, @Nullable GatewayError error, int status, long patience) {
        long delay = delayOfRetry(last, error, status, patience);
        if (delay < 0) {
            return false;
        }
        last.end(null);
        request.pause();
        if (delay < TimeUnit.MILLISECONDS.toNanos(1)) {
            // Read again: the last one has ended since, and its successor does not begin before that.
            begin();
        } else {
            state.become(Phase.CONNECTING);
            pause = upstreams.loop().eventLoop().schedule(this::resume, delay, TimeUnit.NANOSECONDS);
        }
        return true;
    }

    private void begin() {
        now = upstreams.nanoTime();
        owner.onAttemptDue();
    }

    private void resume() {
        pause = null;
        begin();
        owner.onResumed();
    }

    // ---- another upstream

    /** Continues with another upstream. */
    public void switchTo(ProxyTarget other) {
        target(other);
        request.pause();
        now = upstreams.nanoTime();
        budget.sent(now);
        owner.onAttemptDue();
    }

    // ---- hedging

    private boolean continuesWithHedge() {
        return hedge != null && hedge.takesOver();
    }

    /** The second attempt takes the place of the first, which ends. */
    void takeOver(Attempt second) {
        end(null);
        current = second;
        second.listener(this);
        state.continuesWith(second);
        state.become(second.isSending() ? Phase.FORWARDING : Phase.CONNECTING);
    }

    // ---- the end

    /** Ends the attempt under way. @param why counts as its failure if the origin caused it; null if nothing failed */
    public void end(@Nullable GatewayError why) {
        Attempt attempt = current;
        if (attempt != null) {
            attempt.end(why);
        }
    }

    /** There will be no other attempt. */
    public void giveUp() {
        request.dropReplay();
        closeHedge();
        ScheduledFuture<?> waiting = pause;
        if (waiting != null) {
            pause = null;
            waiting.cancel(false);
        }
    }

    private void closeHedge() {
        if (hedge != null) {
            hedge.close();
        }
    }

    /** The exchange is over. */
    public void close() {
        end(null);
        giveUp();
    }

    /** The response grants a tunnel. */
    public GrantedTunnel becomeTunnel() {
        Attempt attempt = requireCurrent();
        return new GrantedTunnel(attempt.stream(), attempt.becomeTunnel());
    }
}
