package dev.lychgate.exchange.attempt;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.resilience.Hedging;
import dev.lychgate.resilience.SentAgain;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one exchange. The methods from {@link #prepareRetries} to {@link #send} implement the last steps of a
 * request, and are called in the order of this file. The methods from {@link #choose} on are called again for each
 * attempt. This class also retries failed attempts. Used on the exchange's event loop.
 */
public final class Attempts extends UpstreamChoice implements AttemptListener {
    private @Nullable RetryPause pause;
    private @Nullable Hedge hedge;
    private @Nullable Attempt current;
    /** The start time of the next attempt, in nanoseconds. */
    private long now;

    /**
     * Creates the object; no attempt begins yet.
     *
     * @param path the path and the query that the origin receives
     * @param deadline sets the header that informs the origin of the remaining time; null if the route does not send
     *     this header
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

    /** Prepares the replay buffer, the hedge and the retry budget. */
    public boolean prepareRetries() {
        if (state.request() == Half.BODY && policies().bytesToKeep() > 0) {
            request.keep(upstreams.loop().memory(), policies().bytesToKeep());
        }
        if (policies().hedging() != Hedging.NONE && head().protocol() == null) {
            hedge = new Hedge(this);
        }
        now = upstreams.turnTime();
        budget.sent(now);
        return true;
    }

    /**
     * Chooses an endpoint.
     *
     * @return false if the upstream has no usable endpoint; in this case, this method has failed the exchange or begun
     *     a fallback
     */
    public boolean choose() {
        state.become(Phase.CONNECTING);
        // Cancels the hedge of the previous attempt. That attempt has ended, and may have used another upstream.
        closeHedge();
        current = next(this, now);
        if (current == null) {
            owner.onExhausted(GatewayError.local(ErrorKind.NO_ENDPOINT, "the upstream has no usable endpoint"), 0);
        }
        return current != null;
    }

    /**
     * Acquires a permit from the guards of the upstream.
     *
     * @return false if the guards reject the attempt; in this case, this method has failed the exchange or begun a
     *     fallback
     */
    public boolean enterEndpoint() {
        Attempt next = requireCurrent();
        if (!next.enter()) {
            current = null;
            owner.onExhausted(next.refusal(), next.admission.retryAfterSeconds());
            return false;
        }
        countRepeat(next);
        state.attemptBegan(next);
        return true;
    }

    /**
     * Uses the quota of the current turn of the event loop.
     *
     * @return false if the quota is used up, so that the attempt waits for the next turn
     */
    public boolean takeTurn() {
        if (upstreams.loop().turn().begin()) {
            return true;
        }
        request.pause();
        requireCurrent().awaitTurn();
        return false;
    }

    /**
     * Leases a connection.
     *
     * @return false if the attempt waits for a connection
     */
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

    /** Sends the request head and the buffered part of the body. The rest of the body follows as it arrives. */
    public boolean send() {
        Attempt attempt = requireCurrent();
        state.become(Phase.FORWARDING);
        if (!request.isWhole()) {
            // The memory budget has reclaimed the kept body while the attempt waited.
            owner.fail(OutgoingRequest.bodyIsGone());
        } else if (request.frame()) {
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

    // ---- the current attempt

    /** Returns the connection, or the stream, of the current attempt; null if the attempt holds none. */
    public @Nullable OriginStream sending() {
        Attempt attempt = current;
        return attempt != null && attempt.isSending() ? attempt.stream() : null;
    }

    /** Flushes the origin connection. */
    public void flush() {
        OriginStream origin = sending();
        if (origin != null) {
            origin.flush();
        }
    }

    /** Handles a chunk of the request body that no filter holds. This method owns {@code chunk}. */
    public void onRequestBody(ByteBuf chunk) {
        request.onChunk(chunk, sending());
    }

    /** Handles the end of the request. Not called if a filter holds the end. */
    public void onRequestEnd() {
        OriginStream origin = sending();
        if (origin != null) {
            request.onEnd(origin);
            watch(requireCurrent());
        }
    }

    /**
     * Called when the body publisher of a filter has ended the request, possibly after the client has ended its
     * request.
     */
    public void onRequestSent() {
        if (sending() != null) {
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

    /**
     * Continues to send the request body, because a filter accepts more of the body. If the origin is slow, {@link
     * #onWritable} continues to send the body later.
     */
    public void onRequestDemand() {
        OriginStream origin = sending();
        if (origin != null && origin.isWritable()) {
            onWritable(requireCurrent());
        }
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

    /** Handles a response head. The retry policy, the hedge or a fallback may discard the response. */
    @Override
    public void onResponseHead(Attempt attempt, ResponseHead head) {
        if (state.phase() != Phase.FORWARDING) {
            throw state.unexpected("a response head");
        }
        if (policies().retry().retriesStatus(head.status())) {
            if (continuesWithHedge()) {
                return;
            }
            if (retries(attempt, null, head.status(), RetryAfter.nanos(head.headers()))) {
                return;
            }
        }
        if (!policies().isFailure(head.status()) || !owner.onFailureStatus(head)) {
            accept(head);
        }
    }

    /** Accepts the response of the current attempt. No other attempt follows. */
    public void accept(ResponseHead head) {
        Attempt by = requireCurrent();
        request.dropReplay();
        if (hedge != null) {
            hedge.accept(by);
        }
        owner.onAccepted(head);
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
        if (delay < RetryPause.LEAST) {
            // begin() reads the clock again, because the failed attempt has taken some time.
            begin();
        } else {
            state.become(Phase.CONNECTING);
            pause = RetryPause.begin(upstreams.loop(), delay, this::resume);
        }
        return true;
    }

    private void begin() {
        now = upstreams.turnTime();
        owner.onAttemptDue();
    }

    private void resume() {
        begin();
        owner.onResumed();
    }

    /** Sends the request to another upstream. */
    public void switchTo(ProxyTarget other) {
        target(other);
        request.pause();
        now = upstreams.turnTime();
        budget.sent(now);
        owner.onAttemptDue();
    }

    // ---- hedging

    private boolean continuesWithHedge() {
        return hedge != null && hedge.takesOver();
    }

    /** Ends the current attempt and replaces it with {@code second}. */
    void takeOver(Attempt second) {
        end(null);
        current = second;
        second.listener(this);
        state.continuesWith(second);
        state.become(second.isSending() ? Phase.FORWARDING : Phase.CONNECTING);
    }

    // ---- end

    /**
     * Ends the current attempt.
     *
     * @param why see {@link Attempt#end}
     */
    public void end(@Nullable GatewayError why) {
        Attempt attempt = current;
        if (attempt != null) {
            request.detach();
            attempt.end(why);
        }
    }

    /** Releases the replay buffer, and cancels the hedge and the next retry. No other attempt follows. */
    public void giveUp() {
        request.dropReplay();
        closeHedge();
        if (pause != null) {
            pause.cancel();
        }
    }

    private void closeHedge() {
        if (hedge != null) {
            hedge.close();
        }
    }

    /** Ends all attempts. Called at the end of the exchange. */
    public void close() {
        end(null);
        giveUp();
    }

    /** Turns the current attempt into the tunnel that the response granted. */
    public GrantedTunnel becomeTunnel() {
        return requireCurrent().becomeTunnel();
    }
}
