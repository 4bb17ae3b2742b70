package dev.lychgate.health;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.error.GatewayError;
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
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One check of one endpoint, on a connection of its own: what the pool holds says nothing about whether a new one would be
 * accepted. Lives on an event loop; tells its result exactly once.
 */
final class Probe extends Deadline implements Connector.Outcome, ConnectionOwner, ResponseListener {
    /** How much of a body is looked at, in bytes. */
    static final int MOST_BODY = 64 << 10;

    /** Hears how the check ended. */
    interface Result {
        /** @param fault what was wrong; null = nothing */
        void onResult(@Nullable String fault);
    }

    private final Loop loop;
    private final ActiveHealthConfig config;
    private final String host;
    private final Result result;
    private final StringBuilder body = new StringBuilder();
    private @Nullable PooledConnection connection;
    private @Nullable String fault;
    private boolean over;

    /** @param host the Host field, where there is a request */
    Probe(Loop loop, ActiveHealthConfig config, String host, Result result) {
        this.loop = loop;
        this.config = config;
        this.host = host;
        this.result = result;
    }

    void begin(Connector connector, Destination to) {
        long timeout = config.timeout().toNanos();
        loop.deadlines().arm(this, timeout);
        connector.connect(to, timeout, this, this);
    }

    /** Nobody wants to know any more. */
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
        result.onResult(why);
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
        end("no answer in time");
    }

    @Override
    public void onConnected(PooledConnection connected) {
        if (over) {
            connected.close();
            return;
        }
        connection = connected;
        String path = config.path();
        if (path == null) {
            end(null);
            return;
        }
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        headers.set(HttpHeaderNames.HOST, host);
        headers.set(HttpHeaderNames.USER_AGENT, "lychgate-health");
        int mark = path.indexOf('?');
        String query = mark < 0 ? null : path.substring(mark + 1);
        RequestHead head =
                new RequestHead(HttpMethod.GET, false, mark < 0 ? path : path.substring(0, mark), query, host, headers);
        long timeout = config.timeout().toNanos();
        OriginStream stream = connected.lend();
        if (stream == null) {
            end("the origin takes no stream");
            return;
        }
        stream.send(head, head.path(), this, new SilenceLimits(timeout, timeout));
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
        int status = head.status();
        boolean good =
                config.statuses().isEmpty() ? status < 400 : config.statuses().contains(status);
        if (!good) {
            end("status " + status);
        } else if (config.body() == null) {
            end(null);
        } else {
            fault = "the body does not contain what it should";
        }
    }

    @Override
    public void onResponseBody(ByteBuf piece) {
        try {
            int room = MOST_BODY - body.length();
            // One char for a byte: that is as good for finding bytes as any other way.
            body.append(piece.toString(
                    piece.readerIndex(), Math.min(room, piece.readableBytes()), StandardCharsets.ISO_8859_1));
        } finally {
            piece.release();
        }
        if (contains()) {
            end(null);
        } else if (body.length() >= MOST_BODY) {
            end(fault);
        }
    }

    private boolean contains() {
        String wanted = config.body();
        return wanted != null
                && body.indexOf(new String(wanted.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)) >= 0;
    }

    @Override
    public void onResponseEnd(HttpHeaders trailers) {
        end(fault);
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
