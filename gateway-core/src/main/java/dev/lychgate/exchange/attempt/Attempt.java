package dev.lychgate.exchange.attempt;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Turn;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.OriginTunnel;
import dev.lychgate.origin.ResponseBodyListener;
import dev.lychgate.origin.ResponseListener;
import dev.lychgate.pool.AcquireListener;
import dev.lychgate.pool.ConnectionLease;
import dev.lychgate.pool.ConnectionPool;
import dev.lychgate.pool.PendingAcquire;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.resilience.Ending;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.tracing.Tracing;
import dev.lychgate.upstream.Endpoint;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of an exchange: one endpoint, one connection, and one transmission of the request. The attempt owns the
 * lease of the connection and releases the lease exactly once. It reports its beginning and its end to the load of the
 * endpoint, to the outcomes of the endpoint, and to the guards of the upstream. After its end, an attempt ignores all
 * events, so that late events can't reach the exchange.
 */
public final class Attempt extends AttemptRecord implements AcquireListener, ResponseListener, Turn.Waiting {
    private enum State {
        /** The attempt has no connection and has not requested one. */
        NEW,
        /** The attempt waits for a turn of the event loop or for a connection. */
        WAITING,
        /** The attempt holds a connection on which it sends the request or receives the response. */
        SENDING,
        /** The connection, or one stream of it, is a tunnel. */
        TUNNEL,
        /** The attempt has released its connection. */
        OVER
    }

    private final ExchangeState exchange;
    private final ResponseBodyListener response;
    private AttemptListener listener;
    private final ConnectionPool pool;
    private @Nullable PendingAcquire place;
    private @Nullable ConnectionLease lease;
    private @Nullable Deadline limit;
    /** The connection, or the stream, of the tunnel; null except in state {@code TUNNEL}. */
    private @Nullable OriginTunnel kept;

    private State state = State.NEW;

    /**
     * Creates an attempt, which begins with {@link #enter}.
     *
     * @param now the current time, in nanoseconds
     */
    Attempt(
            ExchangeState exchange,
            LoopUpstreams upstreams,
            AttemptListener listener,
            ResponseBodyListener response,
            ProxyTarget target,
            Endpoint endpoint,
            long now) {
        super(upstreams, target, endpoint, now);
        this.exchange = exchange;
        this.listener = listener;
        this.response = response;
        this.pool = upstreams.pools().of(target.upstream(), endpoint);
    }

    void listener(AttemptListener next) {
        listener = next;
    }

    /**
     * Begins the attempt if the guards of the upstream admit it. An attempt that has begun must be ended with {@link
     * #end}.
     *
     * @return whether the attempt has begun
     */
    boolean enter() {
        if (!enterGuards(exchange.share())) {
            return false;
        }
        long perTry = target.policies().retry().perTry();
        if (perTry > 0) {
            limit = new TryLimit();
            upstreams.loop().deadlines().arm(limit, perTry);
        }
        return true;
    }

    // ---- the connection

    /** Returns whether the attempt holds a usable connection. */
    boolean isSending() {
        return state == State.SENDING || state == State.TUNNEL;
    }

    private boolean isOver() {
        return state == State.OVER;
    }

    /**
     * Leases an idle connection.
     *
     * @return whether an idle connection was available
     */
    boolean lease() {
        ConnectionLease idle = pool.tryAcquire();
        if (idle == null) {
            return false;
        }
        hold(idle, state == State.WAITING ? upstreams.turnTime() : began);
        return true;
    }

    /** Waits for the next turn of the event loop, which calls {@link AttemptListener#onTurn}. */
    void awaitTurn() {
        state = State.WAITING;
        upstreams.loop().turn().await(this);
    }

    @Override
    public long since() {
        return began;
    }

    @Override
    public void onTurn() {
        if (!isOver()) {
            listener.onTurn(this);
        }
    }

    /**
     * Waits for a connection. The attempt may fail before this method returns.
     *
     * @param fresh whether the attempt needs a new connection instead of an idle one
     */
    void await(boolean fresh) {
        state = State.WAITING;
        PendingAcquire waiting = pool.acquire(target.acquire(), target.connect(), fresh, this);
        if (state == State.WAITING) {
            place = waiting;
        }
    }

    /**
     * Sends the request head.
     *
     * @param path the path and the query that the origin receives
     */
    void send(RequestHead head, String path) {
        writeTrace(head);
        stream().send(head, path, this, target.silence());
    }

    /**
     * Adds the trace context to the request head. Each attempt has its own span, so that traces show which attempt
     * reached an origin.
     */
    private void writeTrace(RequestHead head) {
        TraceContext trace = exchange.trace();
        Tracing tracing = exchange.generation().tracing();
        if (trace != null && tracing != null) {
            span = Tracing.id(upstreams.loop().random());
            tracing.write(trace, span, head.headers());
        }
    }

    /** Returns the connection, or the stream, of this attempt. Called only while {@link #isSending} returns true. */
    OriginStream stream() {
        return requireLease().stream();
    }

    private ConnectionLease requireLease() {
        ConnectionLease l = lease;
        if (l == null || isOver()) {
            throw new IllegalStateException("the attempt has no connection");
        }
        return l;
    }

    /**
     * Ends the attempt, regardless of its state. The pool decides whether the connection is reused.
     *
     * @param why the failure, which is recorded if the upstream caused it; null if nothing has failed
     */
    void end(@Nullable GatewayError why) {
        if (failure == null && why != null && why.side() == Side.UPSTREAM) {
            failure = why;
        }
        if (isOver()) {
            return;
        }
        state = State.OVER;
        endLimit();
        recordEnd();
        if (place != null) {
            place.cancel();
            place = null;
        }
        if (kept == null) {
            if (lease != null) {
                lease.giveBack();
            }
        } else if (why == null) {
            kept.close();
        } else {
            kept.cut();
        }
    }

    /**
     * Turns the connection into the tunnel that the response granted. Guards and outcomes record the end of the attempt
     * immediately. The connection leaves the pool, unless it also carries other exchanges. The open WebSocket still
     * counts as load of the endpoint.
     */
    GrantedTunnel becomeTunnel() {
        OriginStream stream = stream();
        settle(Ending.ofStatus(status), upstreams.turnTime());
        OriginTunnel granted = requireLease().keep();
        kept = granted;
        state = State.TUNNEL;
        return new GrantedTunnel(stream, granted);
    }

    private void endLimit() {
        if (limit != null) {
            upstreams.loop().deadlines().remove(limit);
            limit = null;
        }
    }

    private void fail(GatewayError error) {
        if (!isOver()) {
            failure = error;
            listener.onFailed(this, error);
        }
    }

    private final class TryLimit extends Deadline {
        @Override
        protected void onDeadline() {
            // Without a connection, nothing has been sent, so requests with any method may be retried at another
            // origin.
            Retry seen = lease == null ? Retry.UNPROCESSED : Retry.NEVER;
            fail(GatewayError.upstream(ErrorKind.RESPONSE_TIMEOUT, seen, "the origin did not respond in time"));
        }
    }

    // ---- pool events

    @Override
    public void onLease(ConnectionLease given) {
        place = null;
        if (isOver()) {
            given.giveBack();
            return;
        }
        hold(given, upstreams.turnTime());
        listener.onConnection(this);
    }

    private void hold(ConnectionLease given, long now) {
        lease = given;
        state = State.SENDING;
        connectedAt = now;
        // The value is read now, because a lease that is already released would report a later use of the connection.
        reused = given.isReused();
        connectNanos = reused ? -1 : given.stream().connectNanos();
        given.heldBy(this);
    }

    @Override
    public boolean onWanted(long patience) {
        return !isOver() && listener.onWanted(patience);
    }

    @Override
    public ProxyHeader onBehalfOf() {
        return exchange.proxyHeader();
    }

    @Override
    public void onAcquireFailed(GatewayError error) {
        place = null;
        fail(error);
    }

    // ---- connection events

    @Override
    public void onInformational(ResponseHead head) {
        if (isOver()) {
            return;
        }
        if (!listener.onInformational(this, head)) {
            fail(GatewayError.upstream(
                    ErrorKind.MALFORMED_RESPONSE, Retry.NEVER, "the origin sent too many interim responses"));
        }
    }

    @Override
    public void onResponseHead(ResponseHead head) {
        if (!isOver()) {
            endLimit();
            status = head.status();
            answeredAt = upstreams.turnTime();
            listener.onResponseHead(this, head);
        }
    }

    @Override
    public void onResponseBody(ByteBuf chunk) {
        if (isOver()) {
            chunk.release();
        } else {
            response.onResponseBody(chunk);
        }
    }

    @Override
    public void onResponseBody(SplicedPiece chunk) {
        if (isOver()) {
            chunk.release();
        } else {
            response.onResponseBody(chunk);
        }
    }

    @Override
    public void onResponseEnd(HttpHeaders trailers) {
        if (!isOver()) {
            response.onResponseEnd(trailers);
        }
    }

    @Override
    public void onOriginReadComplete() {
        if (!isOver()) {
            response.onOriginReadComplete();
        }
    }

    @Override
    public void onOriginWritable() {
        if (!isOver()) {
            listener.onWritable(this);
        }
    }

    @Override
    public void onOriginFailed(GatewayError error) {
        fail(error);
    }
}
