package dev.lychgate.exchange.attempt;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.filtering.BodySink;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Turn;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.OriginTunnel;
import dev.lychgate.origin.ResponseListener;
import dev.lychgate.pool.AcquireListener;
import dev.lychgate.pool.ConnectionLease;
import dev.lychgate.pool.ConnectionPool;
import dev.lychgate.pool.LeaseHolder;
import dev.lychgate.pool.PendingAcquire;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.resilience.Ending;
import dev.lychgate.route.Route;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.tracing.Tracing;
import dev.lychgate.upstream.Endpoint;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * One try within an exchange: one endpoint, one connection, one sending of the request. Owns the connection's lease and releases
 * it exactly once, and reports its begin and its end to the endpoint's load, its outcomes and the upstream's guards. After its
 * end it ignores every event, so that nothing from a former attempt can reach the exchange.
 */
public final class Attempt extends AttemptRecord
        implements AcquireListener, LeaseHolder, ResponseListener, Turn.Waiting, BodySink {
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
    private final ResponseEvents response;
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
            ResponseEvents response,
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

    /** Begins, if the upstream's guards permit it; {@link #end()} has to follow then. @return whether they do */
    boolean enter() {
        if (!enterGuards()) {
            return false;
        }
        long perTry = target.policies().retry().perTry();
        if (perTry > 0) {
            Deadline own = new TryLimit();
            limit = own;
            upstreams.loop().deadlines().arm(own, perTry);
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
     * Sends the head, addressed to this attempt's endpoint as the route wants it.
     *
     * @param path the path and query for the origin
     * @param deadline the field that carries the remaining time; null if the route sends none
     */
    void send(RequestHead head, String path, @Nullable DeadlineField deadline) {
        setHost(head, exchange.route());
        if (deadline != null) {
            long now = upstreams.nanoTime();
            deadline.write(head, exchange.remaining(now), remaining(now), now);
        }
        writeTrace(head);
        connection().send(head, path, this, target.silence());
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

    /** Returns the time until the head of the response is due, in nanoseconds; {@link Long#MAX_VALUE} without a limit. */
    private long remaining(long now) {
        long perTry = target.policies().retry().perTry();
        return perTry > 0 ? Math.max(0, perTry - (now - began)) : Long.MAX_VALUE;
    }

    private void setHost(RequestHead head, @Nullable Route route) {
        String host = route == null ? head.host() : route.targetHost(head, endpoint.hostField());
        if (host.isEmpty()) {
            // Optional for an HTTP/1.0 client, required by an HTTP/1.1 origin.
            host = endpoint.hostField();
        } else if (host.equals(head.host())) {
            return;
        }
        head.headers().set(HttpHeaderNames.HOST, host);
    }

    @Override
    public void sendBody(ByteBuf chunk) {
        connection().sendBody(chunk);
    }

    @Override
    public void sendEnd(HttpHeaders trailers) {
        connection().sendEnd(trailers);
    }

    public void flush() {
        connection().flush();
    }

    @Override
    public boolean isWritable() {
        return connection().isWritable();
    }

    public void pauseReading() {
        connection().pauseReading();
    }

    public void resumeReading() {
        connection().resumeReading();
    }

    /** Has the response body delivered in pipes, as long as bytes of it are not in memory already. */
    public void splice() {
        connection().splice();
    }

    private OriginStream connection() {
        ConnectionLease l = lease;
        if (l == null || isOver()) {
            throw new IllegalStateException("an attempt without a connection can't use one");
        }
        return l.stream();
    }

    /** Ends the attempt, since the exchange fails. @param why if that was the origin's fault, it counts as its failure */
    void end(GatewayError why) {
        if (failure == null && why.side() == Side.UPSTREAM) {
            failure = why;
        }
        OriginTunnel tunnel = kept;
        if (tunnel != null && !isOver()) {
            tunnel.cut();
        }
        end();
    }

    /** Ends the attempt, however far it has come; the pool decides whether its connection may be used again. */
    void end() {
        if (isOver()) {
            return;
        }
        state = State.OVER;
        endLimit();
        recordEnd();
        PendingAcquire waiting = place;
        ConnectionLease l = lease;
        place = null;
        if (waiting != null) {
            waiting.cancel();
        }
        OriginTunnel tunnel = kept;
        if (tunnel != null) {
            tunnel.close();
        } else if (l != null) {
            l.giveBack();
        }
    }

    /**
     * Its answer was a tunnel: to guards and outcomes it is over by that, and its connection is the pool's no more, unless
     * that carries other exchanges, too. To the
     * balancer it goes on: an open WebSocket is work for its endpoint.
     */
    public void becomeTunnel() {
        ConnectionLease l = lease;
        if (l == null || isOver()) {
            throw new IllegalStateException("a tunnel without a connection");
        }
        settle(Ending.ofStatus(status), upstreams.nanoTime());
        kept = l.keep();
        state = State.TUNNEL;
    }

    /** Bytes of the request that wait to be sent. */
    public long unsent() {
        OriginTunnel tunnel = kept;
        return tunnel == null ? 0 : tunnel.unsent();
    }

    /** Whether its connection is a tunnel through which the origin can still be told something. */
    public boolean isTunnelOpen() {
        OriginTunnel tunnel = kept;
        return tunnel != null && !isOver() && tunnel.isOpen();
    }

    /** Whether its tunnel is one whose direction to the origin may end before the other. */
    public boolean endsByHalves() {
        OriginTunnel tunnel = kept;
        return tunnel != null && tunnel.endsByHalves();
    }

    /** Breaks its tunnel off, so that the origin can't take it for an end in order. */
    public void reset() {
        OriginTunnel tunnel = kept;
        if (tunnel != null && !isOver()) {
            tunnel.reset();
        }
    }

    private void endLimit() {
        Deadline own = limit;
        if (own != null) {
            limit = null;
            upstreams.loop().deadlines().remove(own);
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
