package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
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
import dev.lychgate.resilience.Admission;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.Guards;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.route.Route;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.tracing.Tracing;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointLoad;
import dev.lychgate.upstream.EndpointLoad.End;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * One try within an exchange: one endpoint, one connection, one sending of the request. Owns the connection's lease and
 * gives it back exactly once, and tells the endpoint's load, its outcomes and the upstream's guards of its begin and its
 * end; after that it is deaf, so that nothing a former attempt hears can reach the exchange.
 */
final class Attempt implements AcquireListener, LeaseHolder, ResponseListener, AttemptView, Turn.Waiting {
    private final Exchange exchange;
    private final Worker worker;
    private final ProxyTarget target;
    private final Endpoint endpoint;
    private final ConnectionPool pool;
    private final EndpointLoad load;
    private final Admission admission;
    private final long began;

    private @Nullable PendingAcquire place;
    private @Nullable ConnectionLease lease;
    private @Nullable GatewayError failure;
    private @Nullable Deadline limit;
    private @Nullable SentAgain again;
    private long connectedAt;
    private long connectNanos = -1;
    private long answeredAt;
    private long endedAt;
    private boolean reused;
    private long span;
    private int status;
    private boolean settled;
    /** Of one that waits its turn: whether a connection from the pool won't do. */
    private boolean fresh;
    /** Whether it has waited its turn. */
    private boolean late;
    /** Its connection, or its stream of one, once that is a tunnel. */
    private @Nullable OriginTunnel kept;

    private @Nullable InterimAllowance interims;

    private boolean over;

    /** Has not begun before {@link #enter}. @param now nanoseconds */
    Attempt(Exchange exchange, Worker worker, ProxyTarget target, Endpoint endpoint, long now) {
        this.exchange = exchange;
        this.worker = worker;
        this.target = target;
        this.endpoint = endpoint;
        this.pool = worker.endpointPools().of(target.upstream(), endpoint);
        this.load = worker.balancers().load(endpoint);
        this.admission = new Admission(
                target.upstream().protection().tally().onLoop(worker.loop().index()));
        this.began = now;
    }

    /** Begins, if the upstream's guards let it; {@link #end()} has to follow then. @return whether they do */
    boolean enter() {
        Guards guards = target.upstream().protection().guards(worker.loop().index(), endpoint.authority());
        if (!admission.enter(guards, began)) {
            return false;
        }
        load.begin();
        long perTry = target.policies().retry().perTry();
        if (perTry > 0) {
            Deadline own = new TryLimit();
            limit = own;
            worker.loop().deadlines().arm(own, perTry);
        }
        return true;
    }

    /** What let it begin, or refused it. */
    Admission admission() {
        return admission;
    }

    /** From its begin to the head of the answer, in nanoseconds. */
    long latency() {
        return answeredAt - began;
    }

    /** What it repeats. */
    void repeats(SentAgain what) {
        again = what;
    }

    // ---- what observers read

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public String upstream() {
        return target.upstream().name();
    }

    @Override
    public @Nullable SentAgain again() {
        return again;
    }

    @Override
    public long began() {
        return began;
    }

    @Override
    public long connectedAt() {
        return connectedAt;
    }

    @Override
    public long connectNanos() {
        return connectNanos;
    }

    @Override
    public boolean isReused() {
        return reused;
    }

    @Override
    public long answeredAt() {
        return answeredAt;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public long endedAt() {
        return endedAt;
    }

    @Override
    public long span() {
        return span;
    }

    @Override
    public @Nullable GatewayError failure() {
        return failure;
    }

    // ---- the connection

    /** Whether a connection is there and the request is on its way. */
    boolean isSending() {
        return lease != null && !over;
    }

    /**
     * Goes for a connection.
     *
     * @param freshOnly whether one from the pool won't do
     * @return whether it is there already; if not, the exchange will be told
     */
    boolean start(boolean freshOnly) {
        if (!freshOnly) {
            ConnectionLease idle = pool.tryAcquire();
            if (idle != null) {
                hold(idle, late ? worker.loop().nanoTime() : began);
                return true;
            }
        }
        return false;
    }

    /** Waits until the loop has looked at its sockets again. */
    void awaitTurn(boolean freshOnly) {
        fresh = freshOnly;
        worker.loop().turn().await(this);
    }

    @Override
    public long since() {
        return began;
    }

    @Override
    public void onTurn() {
        if (!over) {
            late = true;
            exchange.forwarding().onTurn(this, fresh);
        }
    }

    /** Waits for a connection; may fail before it returns. */
    void await(boolean freshOnly) {
        PendingAcquire waiting = pool.acquire(target.acquire(), target.connect(), freshOnly, this);
        if (!over && lease == null) {
            place = waiting;
        }
    }

    /**
     * Sends the head, addressed to this attempt's endpoint as its route wants it.
     *
     * @param route what the request came by
     */
    void send(RequestHead head, String path, @Nullable Route route) {
        setHost(head, route);
        DeadlineField field = exchange.forwarding().deadlineField();
        if (field != null) {
            long now = worker.loop().nanoTime();
            field.write(head, exchange.remaining(now), remaining(now), now);
        }
        tellTrace(head);
        connection().send(head, path, this, target.silence());
    }

    /** Origins are asked by a span of the attempt's own: which of several has asked is seen by that. */
    private void tellTrace(RequestHead head) {
        TraceContext trace = exchange.traceContext();
        Tracing tracing = exchange.generation().tracing();
        if (trace != null && tracing != null) {
            span = Tracing.id(worker.loop().random());
            tracing.write(trace, span, head.headers());
        }
    }

    /** How much is left until the head of the answer has to come, in nanoseconds; {@link Long#MAX_VALUE} if there is no limit. */
    private long remaining(long now) {
        long perTry = target.policies().retry().perTry();
        return perTry > 0 ? Math.max(0, perTry - (now - began)) : Long.MAX_VALUE;
    }

    private void setHost(RequestHead head, @Nullable Route route) {
        String host = route == null ? head.host() : route.targetHost(head, endpoint.hostField());
        if (host.isEmpty()) {
            // An HTTP/1.0 client need not say it; an HTTP/1.1 origin must hear it.
            host = endpoint.hostField();
        } else if (host.equals(head.host())) {
            return;
        }
        head.headers().set(HttpHeaderNames.HOST, host);
    }

    void sendBody(ByteBuf piece) {
        connection().sendBody(piece);
    }

    void sendEnd(HttpHeaders trailers) {
        connection().sendEnd(trailers);
    }

    void flush() {
        connection().flush();
    }

    boolean isWritable() {
        return connection().isWritable();
    }

    void pauseReading() {
        connection().pauseReading();
    }

    void resumeReading() {
        connection().resumeReading();
    }

    void splice() {
        connection().splice();
    }

    private OriginStream connection() {
        ConnectionLease l = lease;
        if (l == null || over) {
            throw new IllegalStateException("an attempt without a connection was asked to use it");
        }
        return l.stream();
    }

    /** Ends the attempt, since the exchange fails. @param why if that was the origin's fault, it counts as its failure */
    void end(GatewayError why) {
        if (failure == null && why.side() == Side.UPSTREAM) {
            failure = why;
        }
        OriginTunnel tunnel = kept;
        if (tunnel != null && !over) {
            tunnel.cut();
        }
        end();
    }

    /** Ends the attempt, however far it has come; the pool decides whether its connection may be used again. */
    void end() {
        if (over) {
            return;
        }
        over = true;
        endLoad();
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
    void becomeTunnel() {
        ConnectionLease l = lease;
        if (l == null || over) {
            throw new IllegalStateException("a tunnel without a connection");
        }
        settle(Ending.ofStatus(status), worker.loop().nanoTime());
        kept = l.keep();
    }

    /** Bytes of the request that wait to be sent. */
    long unsent() {
        OriginTunnel tunnel = kept;
        return tunnel == null ? 0 : tunnel.unsent();
    }

    /** Whether its connection is a tunnel through which the origin can still be told something. */
    boolean isTunnelOpen() {
        OriginTunnel tunnel = kept;
        return tunnel != null && !over && tunnel.isOpen();
    }

    /** Whether its tunnel is one whose direction to the origin may end before the other. */
    boolean endsByHalves() {
        OriginTunnel tunnel = kept;
        return tunnel != null && tunnel.endsByHalves();
    }

    /** Breaks its tunnel off, so that the origin can't take it for an end in order. */
    void reset() {
        OriginTunnel tunnel = kept;
        if (tunnel != null && !over) {
            tunnel.reset();
        }
    }

    private void endLoad() {
        endLimit();
        long now = worker.loop().nanoTime();
        endedAt = now;
        GatewayError why = failure;
        Ending ending = why != null ? Ending.of(why) : status > 0 ? Ending.ofStatus(status) : Ending.IGNORED;
        boolean answered = answeredAt != 0;
        long end = answered ? answeredAt : now;
        settle(ending, now);
        load.end(end - began, answered ? End.ANSWERED : ending.isFailure() ? End.FAILED : End.ABANDONED, now);
    }

    /** What has come of it is told to guards and outcomes, once. */
    private void settle(Ending ending, long now) {
        if (settled) {
            return;
        }
        settled = true;
        boolean answered = answeredAt != 0;
        long end = answered ? answeredAt : now;
        admission.leave(ending, end, now);
        int index = worker.loop().index();
        if (ending.isFailure()) {
            endpoint.outcomes().failed(index, end - began);
        } else if (answered) {
            endpoint.outcomes().answered(index, end - began);
        }
    }

    private void endLimit() {
        Deadline own = limit;
        if (own != null) {
            limit = null;
            worker.loop().deadlines().remove(own);
        }
    }

    private void fail(GatewayError error) {
        if (over) {
            return;
        }
        failure = error;
        Hedge hedge = hedge();
        if (hedge != null) {
            hedge.fails(this);
        } else {
            exchange.onAttemptFailed(error);
        }
    }

    /** What it is the second attempt of, beside another; null if it is the only one, or the first. */
    private @Nullable Hedge hedge() {
        Attempts all = exchange.forwarding().attempts();
        Hedge hedge = all == null ? null : all.hedge();
        return hedge != null && hedge.is(this) ? hedge : null;
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
        if (over) {
            given.giveBack();
            return;
        }
        hold(given, worker.loop().nanoTime());
        Hedge hedge = hedge();
        if (hedge != null) {
            hedge.send(this);
        } else {
            exchange.onConnection();
        }
    }

    private void hold(ConnectionLease given, long now) {
        lease = given;
        connectedAt = now;
        // Asked now: when it has been given back, it says how it is used by others.
        reused = given.isReused();
        connectNanos = reused ? -1 : given.stream().connectNanos();
        given.heldBy(this);
    }

    @Override
    public boolean onWanted(long patience) {
        return !over && exchange.onConnectionWanted(patience);
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
        if (over) {
            return;
        }
        long now = worker.loop().nanoTime();
        if (interims == null) {
            interims = new InterimAllowance(now);
        }
        if (!interims.admits(head, now)) {
            fail(GatewayError.upstream(
                    ErrorKind.MALFORMED_RESPONSE, Retry.NEVER, "the origin sends too many interim responses"));
        } else if (hedge() == null) {
            exchange.onInformational(head);
        }
    }

    @Override
    public void onResponseHead(ResponseHead head) {
        if (!over) {
            endLimit();
            status = head.status();
            answeredAt = worker.loop().nanoTime();
            Hedge hedge = hedge();
            if (hedge != null && target.policies().retry().retriesStatus(head.status())) {
                // As good as none: the first one, which is only slow, may bring a better one.
                hedge.fails(this);
                return;
            }
            if (hedge != null) {
                hedge.wins(this);
            }
            exchange.onResponseHead(head);
        }
    }

    @Override
    public void onResponseBody(ByteBuf piece) {
        if (over) {
            piece.release();
        } else {
            exchange.onResponseBody(piece);
        }
    }

    @Override
    public void onResponseBody(SplicedPiece piece) {
        if (over) {
            piece.release();
        } else {
            exchange.onResponseBody(piece);
        }
    }

    @Override
    public void onResponseEnd(HttpHeaders trailers) {
        if (!over) {
            exchange.onResponseEnd(trailers);
        }
    }

    @Override
    public void onOriginReadComplete() {
        if (!over) {
            exchange.onOriginReadComplete();
        }
    }

    @Override
    public void onOriginWritable() {
        if (!over) {
            exchange.onOriginWritable();
        }
    }

    @Override
    public void onOriginFailed(GatewayError error) {
        fail(error);
    }
}
