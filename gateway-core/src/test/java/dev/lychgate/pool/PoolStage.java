package dev.lychgate.pool;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.Turn;
import dev.lychgate.origin.Destination;
import dev.lychgate.origin.ResponseListener;
import dev.lychgate.origin.SilenceLimits;
import dev.lychgate.testing.FakeOrigins;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A pool on a loop without threads and sockets, and its users. */
final class PoolStage implements AutoCloseable {
    static final Duration LONG = Duration.ofHours(1);

    private final EmbeddedChannel thread = new EmbeddedChannel();
    private final Loop loop = new Loop(thread.eventLoop(), 0, Turn.unlimited());
    private long time = System.nanoTime();
    final FakeOrigins origins = new FakeOrigins(loop);
    final ConnectionPool pool;

    PoolStage(PoolConfig config) {
        this(config, new LocalPermits(config.connections(), 1));
    }

    PoolStage(PoolConfig config, Permits permits) {
        PoolKey key = new PoolKey("origin", Destination.plain(new EndpointAddress("10.0.0.1", 80)), config);
        this.pool = new ConnectionPool(loop, key, origins, permits, new LocalPermits(config.pending(), 1));
    }

    static PoolConfig limits(int connections, int pending) {
        return new PoolConfig(connections, pending, LONG, LONG, 0);
    }

    Asker ask() {
        return ask(false);
    }

    Asker ask(boolean freshOnly) {
        return new Asker(freshOnly);
    }

    /** Time passes. */
    void pass(Duration length) {
        loop.deadlines().sweep(time += length.toNanos());
    }

    /** Sends a request over a lease's connection, reads its complete response and releases the lease. */
    void use(ConnectionLease lease, int index) {
        send(lease);
        origins.says(index, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        lease.giveBack();
    }

    void send(ConnectionLease lease) {
        long limit = LONG.toNanos();
        RequestHead head = new RequestHead(HttpMethod.GET, false, "/", null, "a", new DefaultHttpHeaders());
        lease.stream().send(head, "/", new Deaf(), new SilenceLimits(limit, limit));
        lease.stream().sendEnd(EmptyHttpHeaders.INSTANCE);
        lease.stream().flush();
    }

    @Override
    public void close() {
        origins.close();
        thread.finishAndReleaseAll();
    }

    /** A request that waits for a connection. */
    final class Asker implements AcquireListener {
        private final List<String> told = new ArrayList<>();
        private @Nullable ConnectionLease lease;
        private final @Nullable PendingAcquire place;

        Asker(boolean freshOnly) {
            lease = freshOnly ? null : pool.tryAcquire();
            place = lease == null
                    ? pool.acquire(TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(2), freshOnly, this)
                    : null;
        }

        /** Its results: {@code lease}, or a kind of error. */
        List<String> told() {
            return told;
        }

        ConnectionLease lease() {
            ConnectionLease l = lease;
            if (l == null) {
                throw new AssertionError("no lease, but " + told);
            }
            return l;
        }

        boolean hasLease() {
            return lease != null;
        }

        void cancel() {
            PendingAcquire p = place;
            if (p == null) {
                throw new AssertionError("has no pending request");
            }
            p.cancel();
        }

        @Override
        public void onLease(ConnectionLease given) {
            told.add("lease");
            lease = given;
        }

        @Override
        public void onAcquireFailed(GatewayError error) {
            told.add(error.kind().label());
        }
    }

    /** Receives a response and ignores it. */
    private static final class Deaf implements ResponseListener {
        @Override
        public void onInformational(ResponseHead head) {}

        @Override
        public void onResponseHead(ResponseHead head) {}

        @Override
        public void onResponseBody(ByteBuf piece) {
            piece.release();
        }

        @Override
        public void onResponseEnd(HttpHeaders trailers) {}

        @Override
        public void onOriginReadComplete() {}

        @Override
        public void onOriginWritable() {}

        @Override
        public void onOriginFailed(GatewayError error) {}
    }
}
