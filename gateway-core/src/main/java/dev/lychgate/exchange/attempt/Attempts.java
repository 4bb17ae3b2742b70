package dev.lychgate.exchange.attempt;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.generation.WebSocketPolicy;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.resilience.Admission;
import dev.lychgate.resilience.BodyReplay;
import dev.lychgate.resilience.FailedAttempt;
import dev.lychgate.resilience.Guards;
import dev.lychgate.resilience.Hedging;
import dev.lychgate.resilience.RetryAfter;
import dev.lychgate.resilience.RetryDecision;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.upstream.Endpoint;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one exchange. The first methods are the last steps of a request, in their order; those from {@link #choose} on
 * are repeated for each attempt. Decides whether an attempt follows one that failed. Lives on the exchange's event loop.
 */
public final class Attempts extends UpstreamChoice implements AttemptListener, Hedge.Beside {
    private final AttemptOwner owner;
    private final String path;
    private final @Nullable DeadlineField deadline;
    private final RequestBody body;

    /** The places that it holds on its route; null if that counts none. */
    private @Nullable RoutePlaces places;

    private @Nullable ScheduledFuture<?> pause;
    private @Nullable Hedge hedge;
    private @Nullable Attempt current;
    /** Null before the first interim response. */
    private @Nullable InterimAllowance interims;

    private boolean resent;
    /** Why the next attempt repeats the last; null for the first one at its upstream. */
    private @Nullable SentAgain repeats;
    /** Whether the body has to be read again once the request is sent. */
    private boolean bodyPaused;
    /** When the next attempt begins, in nanoseconds. */
    private long now;
    /** How many attempts there were before the exchange went to its fallback. */
    private int before;

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
        super(state, upstreams, target);
        this.owner = owner;
        this.path = path;
        this.deadline = deadline;
        this.body = new RequestBody(state, owner);
    }

    // ---- the steps

    /** Takes one of the route's places, for its WebSockets and for its requests under way. @return false if the exchange failed */
    public boolean enterRoute() {
        now = upstreams.nanoTime();
        Guards guards = policies().guards(upstreams.index());
        if (guards == Guards.NONE && head().protocol() == null) {
            return true;
        }
        RoutePlaces taken = new RoutePlaces();
        places = taken;
        GatewayError refusal =
                head().protocol() == null ? null : taken.enterTunnels(policies().webSocket(), state);
        if (refusal != null) {
            owner.fail(refusal);
            return false;
        }
        Admission refused = taken.enter(guards, now);
        if (refused != null) {
            refuse(refused, "too many requests of this route are under way");
        }
        return refused == null;
    }

    /** Prepares what retries and hedges need: the kept body and the budget. */
    public boolean prepareRetries() {
        if (state.request() == Half.BODY && policies().bytesToKeep() > 0) {
            body.keepIn(new BodyReplay(
                    state.downstream().allocator(),
                    upstreams.loop().memory(),
                    policies().bytesToKeep()));
        }
        if (policies().hedging() != Hedging.NONE && head().protocol() == null) {
            hedge = new Hedge(upstreams.loop(), this);
        }
        budget.sent(now);
        return true;
    }

    /** Chooses an endpoint. @return false if the upstream has none, and the exchange ends by that */
    public boolean choose() {
        state.become(Phase.CONNECTING);
        Hedge beside = hedge;
        if (beside != null) {
            // It stood beside an attempt that is over, possibly at another upstream.
            beside.close();
        }
        Endpoint endpoint = chooseEndpoint();
        if (endpoint == null) {
            owner.onExhausted(
                    GatewayError.local(ErrorKind.NO_ENDPOINT, "the upstream has no endpoint that may be used"), 0);
            return false;
        }
        current = attempt(endpoint, this, now);
        return true;
    }

    private Attempt attempt(Endpoint endpoint, AttemptListener listener, long began) {
        return new Attempt(state, upstreams, listener, owner.responseEvents(), target(), endpoint, began);
    }

    /** Asks the upstream's guards for a permit. @return false if they refuse, and the exchange ends by that */
    public boolean enterEndpoint() {
        Attempt next = requireCurrent();
        if (!next.enter()) {
            current = null;
            refuse(next.admission(), "the upstream is protected from more requests");
            return false;
        }
        SentAgain why = repeats;
        if (why != null) {
            next.repeats(why);
            tally.again(why);
        }
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
        pauseBody();
        requireCurrent().awaitTurn();
        return false;
    }

    /** Leases a connection. @return false if the attempt waits for one */
    public boolean lease() {
        Attempt next = requireCurrent();
        boolean fresh = repeats == SentAgain.STALE;
        if (!fresh && next.lease()) {
            return true;
        }
        pauseBody();
        next.await(fresh);
        return false;
    }

    /** Sends the head, and of the body what is there; the rest follows as it arrives. */
    public boolean send() {
        Attempt attempt = requireCurrent();
        state.become(Phase.FORWARDING);
        if (body.frame()) {
            send(attempt);
            watch(attempt);
        }
        if (bodyPaused || owner.filtering().isActive()) {
            bodyPaused = false;
            readBody();
        }
        return true;
    }

    @Override
    public void send(Attempt attempt) {
        attempt.send(head(), path, deadline);
        try {
            body.sendTo(attempt);
        } catch (OutOfMemoryError refusal) {
            // The caller goes on with this attempt, so the exchange fails behind it.
            GatewayError lack = GatewayError.local(ErrorKind.OVERLOADED, "no memory is left to send the body again");
            upstreams.loop().eventLoop().execute(() -> owner.fail(lack));
        }
    }

    private void pauseBody() {
        bodyPaused = true;
        if (state.request() == Half.BODY) {
            state.downstream().pauseReading();
        }
    }

    private void readBody() {
        if (state.request() == Half.BODY) {
            state.downstream().resumeReading();
            flush();
        }
    }

    private Attempt requireCurrent() {
        Attempt attempt = current;
        if (attempt == null) {
            throw state.unexpected("no attempt");
        }
        return attempt;
    }

    // ---- the attempt under way

    /** Returns the attempt if it has a connection and may use it; null otherwise. */
    public @Nullable Attempt sending() {
        Attempt attempt = current;
        return attempt != null && attempt.isSending() ? attempt : null;
    }

    /** Sends what has been written. */
    public void flush() {
        Attempt attempt = sending();
        if (attempt != null) {
            attempt.flush();
        }
    }

    /** Reads no more of the response until {@link Attempt#resumeReading}. */
    public void pauseResponse() {
        Attempt attempt = sending();
        if (attempt != null) {
            attempt.pauseReading();
        }
    }

    /** A chunk of the request body has arrived, which no filter awaits; it is owned here. */
    public void onRequestBody(ByteBuf chunk) {
        body.onChunk(chunk, sending());
    }

    /** The request is complete, and no filter awaits its end. */
    public void onRequestEnd() {
        Attempt attempt = sending();
        if (attempt != null && body.onEnd(attempt)) {
            watch(attempt);
        }
    }

    private void watch(Attempt attempt) {
        Hedge beside = hedge;
        if (beside != null && body.isSent()) {
            beside.watch(attempt, policies());
        }
    }

    @Override
    public void onWritable(Attempt attempt) {
        boolean wasSent = body.isSent();
        if (body.resume(attempt)) {
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
        if (!admitsInterim(interim)) {
            return false;
        }
        owner.onInformational(interim);
        return true;
    }

    /** Whether an interim response may be forwarded: a retry brings no further allowance. */
    @Override
    public boolean admitsInterim(ResponseHead interim) {
        long received = upstreams.nanoTime();
        InterimAllowance allowance = interims;
        if (allowance == null) {
            allowance = new InterimAllowance(received);
            interims = allowance;
        }
        return allowance.admits(interim, received);
    }

    /** The retry policy, the hedge or a fallback may discard a response with this head. */
    @Override
    public void onResponseHead(Attempt attempt, ResponseHead head) {
        if (state.phase() != Phase.FORWARDING) {
            throw state.unexpected("a response head");
        }
        if (retriesStatus(head.status())) {
            if (continuesWithHedge(attempt)) {
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
        body.dropReplay();
        Hedge beside = hedge;
        if (beside != null) {
            if (beside.hasBegun(by)) {
                tally.hedgeWon();
            }
            beside.close();
            policies().latency(upstreams.index()).record(by.latency(), by.answeredAt());
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
        } else if (!continuesWithHedge(attempt) && !retries(attempt, error, 0, 0)) {
            owner.onExhausted(error, 0);
        }
    }

    private boolean retries(Attempt last, @Nullable GatewayError error, int status, long patience) {
        long present = upstreams.nanoTime();
        FailedAttempt failed = new FailedAttempt(
                error,
                status,
                head().method(),
                made(),
                resent,
                last.isReused(),
                body.isWhole(),
                false,
                patience,
                state.remaining(present));
        RetryDecision decision = policies().retry().decide(failed, budget, present);
        tally.retryDecided(decision);
        if (!decision.sendsAgain()) {
            return false;
        }
        boolean fresh = decision == RetryDecision.RESEND_FRESH;
        repeats = fresh ? SentAgain.STALE : SentAgain.RETRY;
        resent |= fresh;
        if (!isBound() || !fresh) {
            // A stale connection says nothing against the endpoint that the client is bound to.
            noteTried(last.endpoint());
        }
        last.end();
        pauseBody();
        long delay =
                fresh ? 0 : policies().retry().delay(failed, upstreams.loop().random());
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

    /** How many attempts the upstream has had; one that was repeated because its connection was stale does not count. */
    private int made() {
        return state.attempts() - before - (resent ? 1 : 0);
    }

    // ---- another upstream

    /**
     * Returns whether the request may be sent to another upstream: no origin has seen it, or it may be repeated; and its body is
     * whole.
     *
     * @param error the failure; null if a response counts as one
     */
    public boolean maySwitch(@Nullable GatewayError error) {
        boolean unseen = error != null && (error.retry() == Retry.UNPROCESSED || error.side() == Side.LOCAL);
        return body.isWhole() && (unseen || policies().retry().isIdempotent(head().method()));
    }

    /** Continues with another upstream. */
    public void switchTo(ProxyTarget other) {
        target(other);
        resent = false;
        repeats = null;
        before = state.attempts();
        pauseBody();
        now = upstreams.nanoTime();
        budget.sent(now);
        owner.onAttemptDue();
    }

    // ---- hedging

    private boolean continuesWithHedge(Attempt failed) {
        Hedge beside = hedge;
        Attempt other = beside == null ? null : beside.release();
        if (other == null) {
            return false;
        }
        failed.end();
        replaceBy(other);
        return true;
    }

    @Override
    public @Nullable Attempt hedge(Attempt first, Hedge listener) {
        if (sending() != first || state.phase() != Phase.FORWARDING) {
            return null;
        }
        RetryDecision decision = policies()
                .hedging()
                .decide(head().method(), made(), body.isWhole(), false, budget, upstreams.nanoTime());
        tally.hedgeDecided(decision);
        if (!decision.sendsAgain()) {
            return null;
        }
        noteTried(first.endpoint());
        Endpoint endpoint = chooseEndpoint();
        Attempt second = endpoint == null ? null : attempt(endpoint, listener, upstreams.nanoTime());
        if (second == null || !second.enter()) {
            return null;
        }
        tally.again(SentAgain.HEDGE);
        state.hedgeBegan(second, first);
        return second;
    }

    @Override
    public void takeOver(Attempt second) {
        end(null);
        replaceBy(second);
    }

    private void replaceBy(Attempt second) {
        current = second;
        second.listener(this);
        state.continuesWith(second);
        state.become(second.isSending() ? Phase.FORWARDING : Phase.CONNECTING);
    }

    @Override
    public boolean retriesStatus(int status) {
        return policies().retry().retriesStatus(status);
    }

    // ---- the end

    /** Ends the attempt under way. @param why counts as its failure if the origin caused it; null if nothing failed */
    public void end(@Nullable GatewayError why) {
        Attempt attempt = current;
        if (attempt != null && why != null) {
            attempt.end(why);
        } else if (attempt != null) {
            attempt.end();
        }
    }

    /** There will be no other attempt. */
    public void giveUp() {
        body.dropReplay();
        Hedge beside = hedge;
        if (beside != null) {
            beside.close();
        }
        ScheduledFuture<?> waiting = pause;
        if (waiting != null) {
            pause = null;
            waiting.cancel(false);
        }
    }

    /** The exchange is over. */
    public void close() {
        end(null);
        giveUp();
        RoutePlaces held = places;
        if (held != null) {
            held.close(upstreams.nanoTime());
        }
    }

    /** The response grants a tunnel: the request is no longer one of those under way. @return the attempt that carries it */
    public Attempt becomeTunnel() {
        Attempt attempt = requireCurrent();
        attempt.becomeTunnel();
        requirePlaces().leave(upstreams.nanoTime());
        return attempt;
    }

    private RoutePlaces requirePlaces() {
        RoutePlaces held = places;
        if (held == null) {
            throw state.unexpected("a tunnel without a WebSocket");
        }
        return held;
    }

    /** Returns the policy of the WebSocket that is open. */
    public WebSocketPolicy requireWebSocket() {
        WebSocketPolicy policy = requirePlaces().webSocket();
        if (policy == null) {
            throw state.unexpected("a tunnel without a WebSocket");
        }
        return policy;
    }
}
