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
 * One try within an exchange: one endpoint, one connection, one sending of the request. Owns the connection's lease and releases
 * it exactly once, and reports its begin and its end to the endpoint's load, its outcomes and the upstream's guards. After its
 * end it ignores every event, so that nothing from a former attempt can reach the exchange.
 */
public final class Attempt extends AttemptRecord implements AcquireListener, ResponseListener, Turn.Waiting {
    /** How far an attempt has come. */
    private enum State {
        /** It has no connection and waits for none. */
        NEW,
        /** It waits for its turn on the event loop, or for a connection. */
        WAITING,
        /** It has a connection: the request is being sent, or its response awaited or received. */
        SENDING,
        /** Its connection, or its stream of one, is a tunnel. */
        TUNNEL,
        /** Its connection is released. */
        OVER
    }

    private final ExchangeState exchange;
    private final ResponseBodyListener response;
    private AttemptListener listener;
    private final ConnectionPool pool;
    private @Nullable PendingAcquire place;
    private @Nullable ConnectionLease lease;
    private @Nullable Deadline limit;
    /** Its connection, or its stream of one, in state {@code TUNNEL}. */
    private @Nullable OriginTunnel kept;

    private State state = State.NEW;

    /** Does not begin before {@link #enter}. @param now nanoseconds */
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

    /** From here on {@code next} decides about this attempt. */
    void listener(AttemptListener next) {
        listener = next;
    }

    /** Begins, if the upstream's guards permit it; {@link #end} has to follow then. @return whether they do */
    boolean enter() {
        if (!enterGuards()) {
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

    /** Whether it has a connection and may use it. */
    boolean isSending() {
        return state == State.SENDING || state == State.TUNNEL;
    }

    private boolean isOver() {
        return state == State.OVER;
    }

    /** Leases an idle connection. @return whether there was one */
    boolean lease() {
        ConnectionLease idle = pool.tryAcquire();
        if (idle == null) {
            return false;
        }
        hold(idle, state == State.WAITING ? upstreams.nanoTime() : began);
        return true;
    }

    /** Waits until the loop has looked at its sockets again; {@link AttemptListener#onTurn} follows. */
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

    /** Waits for a connection; may fail before it returns. @param fresh whether an idle one is not acceptable */
    void await(boolean fresh) {
        state = State.WAITING;
        PendingAcquire waiting = pool.acquire(target.acquire(), target.connect(), fresh, this);
        if (state == State.WAITING) {
            place = waiting;
        }
    }

    /**
     * Sends the head.
     *
     * @param path the path and query for the origin
     */
    void send(RequestHead head, String path) {
        writeTrace(head);
        stream().send(head, path, this, target.silence());
    }

    /** Each attempt is a span of its own, so that traces show which of several reached an origin. */
    private void writeTrace(RequestHead head) {
        TraceContext trace = exchange.trace();
        Tracing tracing = exchange.generation().tracing();
        if (trace != null && tracing != null) {
            span = Tracing.id(upstreams.loop().random());
            tracing.write(trace, span, head.headers());
        }
    }

    /** Returns its connection, or its stream of one, while it {@link #isSending}. */
    OriginStream stream() {
        return requireLease().stream();
    }

    private ConnectionLease requireLease() {
        ConnectionLease l = lease;
        if (l == null || isOver()) {
            throw new IllegalStateException("an attempt without a connection can't use one");
        }
        return l;
    }

    /**
     * Ends the attempt, however far it has come; the pool decides whether its connection may be used again.
     *
     * @param why counts as its failure if the origin caused it; null if nothing failed
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
     * The response grants a tunnel. Guards and outcomes record the end of the attempt, and its connection leaves the pool unless it
     * carries other exchanges. The balancer counts an open WebSocket as load of its endpoint.
     */
    OriginTunnel becomeTunnel() {
        settle(Ending.ofStatus(status), upstreams.nanoTime());
        OriginTunnel granted = requireLease().keep();
        kept = granted;
        state = State.TUNNEL;
        return granted;
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
            // Without a connection nothing has been sent: whatever the method, another origin may have it.
            Retry seen = lease == null ? Retry.UNPROCESSED : Retry.NEVER;
            fail(GatewayError.upstream(ErrorKind.RESPONSE_TIMEOUT, seen, "the origin did not answer in time"));
        }
    }

    // ---- what the pool tells

    @Override
    public void onLease(ConnectionLease given) {
        place = null;
        if (isOver()) {
            given.giveBack();
            return;
        }
        hold(given, upstreams.nanoTime());
        listener.onConnection(this);
    }

    private void hold(ConnectionLease given, long now) {
        lease = given;
        state = State.SENDING;
        connectedAt = now;
        // Asked now: when it has been given back, it says how it is used by others.
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

    // ---- what the connection tells

    @Override
    public void onInformational(ResponseHead head) {
        if (isOver()) {
            return;
        }
        if (!listener.onInformational(this, head)) {
            fail(GatewayError.upstream(
                    ErrorKind.MALFORMED_RESPONSE, Retry.NEVER, "the origin sends too many interim responses"));
        }
    }

    @Override
    public void onResponseHead(ResponseHead head) {
        if (!isOver()) {
            endLimit();
            status = head.status();
            answeredAt = upstreams.nanoTime();
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
