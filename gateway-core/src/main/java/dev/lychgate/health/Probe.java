package dev.lychgate.health;

import dev.lychgate.error.GatewayError;
import dev.lychgate.health.Inquiry.Verdict;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ConnectionOwner;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.Destination;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.PooledConnection;
import dev.lychgate.origin.ResponseListener;
import dev.lychgate.origin.SilenceLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks one endpoint one time, on a new connection, because a pooled connection does not show whether the endpoint
 * accepts new connections. Used on an event loop; reports its result exactly once.
 */
final class Probe extends Deadline implements Connector.Outcome, ConnectionOwner, ResponseListener {
    static final String AGENT = "lychgate-health";

    private final Loop loop;
    private final long timeout;
    private final @Nullable Inquiry inquiry;
    private final Consumer<@Nullable String> result;
    private @Nullable PooledConnection connection;
    private boolean over;

    /**
     * Creates a check that has not begun.
     *
     * @param inquiry the request to send; null if the check only opens a connection
     * @param result receives the reason why the check failed; receives null if the endpoint is healthy
     */
    Probe(Loop loop, Duration timeout, @Nullable Inquiry inquiry, Consumer<@Nullable String> result) {
        this.loop = loop;
        this.timeout = timeout.toNanos();
        this.inquiry = inquiry;
        this.result = result;
    }

    void begin(Connector connector, Destination to) {
        loop.deadlines().arm(this, timeout);
        connector.connect(to, timeout, this, this);
    }

    void cancel() {
        over = true;
        release();
    }

    private void end(@Nullable String why) {
        if (over) {
            return;
        }
        over = true;
        release();
        result.accept(why);
    }

    private void end(@Nullable Verdict verdict) {
        if (verdict != null) {
            end(verdict.fault());
        }
    }

    private void release() {
        loop.deadlines().remove(this);
        PooledConnection c = connection;
        connection = null;
        if (c != null) {
            c.close();
        }
    }

    @Override
    protected void onDeadline() {
        end("no response in time");
    }

    @Override
    public void onConnected(PooledConnection connected) {
        if (over) {
            connected.close();
            return;
        }
        connection = connected;
        Inquiry what = inquiry;
        if (what == null) {
            end(Verdict.GOOD);
            return;
        }
        OriginStream stream = connected.lend();
        if (stream == null) {
            end("the origin accepts no HTTP/2 stream");
            return;
        }
        RequestHead head = what.head();
        stream.send(head, head.path(), this, new SilenceLimits(timeout, timeout));
        ByteBuf body = what.body(ByteBufAllocator.DEFAULT);
        if (body != null) {
            stream.sendBody(body);
        }
        stream.sendEnd(EmptyHttpHeaders.INSTANCE);
        stream.flush();
    }

    @Override
    public void onConnectFailed(GatewayError error) {
        end(error.detail());
    }

    @Override
    public void onConnectionClosed(PooledConnection closed) {
        end("the connection was closed");
    }

    @Override
    public void onInformational(ResponseHead head) {}

    @Override
    public void onResponseHead(ResponseHead head) {
        Inquiry what = inquiry;
        if (!over && what != null) {
            end(what.onHead(head));
        }
    }

    @Override
    public void onResponseBody(ByteBuf piece) {
        Inquiry what = inquiry;
        Verdict verdict;
        try {
            verdict = over || what == null ? null : what.onBody(piece);
        } finally {
            piece.release();
        }
        end(verdict);
    }

    @Override
    public void onResponseEnd(HttpHeaders trailers) {
        Inquiry what = inquiry;
        if (!over && what != null) {
            end(what.onEnd(trailers));
        }
    }

    @Override
    public void onOriginReadComplete() {}

    @Override
    public void onOriginWritable() {}

    @Override
    public void onOriginFailed(GatewayError error) {
        end(error.detail());
    }
}
