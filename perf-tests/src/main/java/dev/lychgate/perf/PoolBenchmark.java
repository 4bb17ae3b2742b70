package dev.lychgate.perf;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.Turn;
import dev.lychgate.origin.Destination;
import dev.lychgate.origin.OriginConnection;
import dev.lychgate.origin.ResponseListener;
import dev.lychgate.origin.SilenceLimits;
import dev.lychgate.pool.AcquireListener;
import dev.lychgate.pool.ConnectionLease;
import dev.lychgate.pool.ConnectionPool;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.pool.PoolKey;
import dev.lychgate.pool.PoolLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A pooled connection that is leased, carries the smallest exchange over a channel in memory, and is released. The pool
 * would not keep a connection without an exchange.
 */
@Warmup(iterations = 10, time = 1)
public class PoolBenchmark extends NanosecondBenchmark implements AcquireListener, ResponseListener {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

    private final Loop loop =
            new Loop(new ManualIoEventLoop(Thread.currentThread(), LocalIoHandler.newFactory()), 0, Turn.unlimited());
    private final EmbeddedChannel origin = new EmbeddedChannel();
    private final RequestHead head =
            new RequestHead(HttpMethod.GET, false, "/", null, "example.com", new DefaultHttpHeaders());
    private final SilenceLimits limits = new SilenceLimits(PATIENCE, PATIENCE);
    private final ByteBuf answer = Unpooled.directBuffer()
            .writeBytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    private final List<ConnectionLease> lent = new ArrayList<>(1);
    private @Nullable ConnectionPool pool;

    @Setup
    public void fill() {
        LoopPools pools = new LoopPools(
                loop,
                (to, timeout, owner, outcome) -> outcome.onConnected(OriginConnection.on(origin, loop, owner)),
                new PoolLimits(1));
        PoolKey key = new PoolKey("origin", Destination.plain(new EndpointAddress("10.0.0.1", 80)), PoolConfig.DEFAULT);
        pools.keep(Set.of(key));
        ConnectionPool made = pools.of(key);
        made.acquire(PATIENCE, PATIENCE, true, this);
        exchange(lent.get(0));
        if (made.counters().idle() != 1) {
            throw new IllegalStateException("the connection was not kept");
        }
        pool = made;
    }

    @TearDown
    public void close() {
        origin.finishAndReleaseAll();
    }

    @Benchmark
    public ConnectionLease exchange() {
        ConnectionPool of = pool;
        ConnectionLease lease = of == null ? null : of.tryAcquire();
        if (lease == null) {
            throw new IllegalStateException("nothing to lend");
        }
        exchange(lease);
        return lease;
    }

    private void exchange(ConnectionLease lease) {
        lease.stream().send(head, "/", this, limits);
        lease.stream().sendEnd(EmptyHttpHeaders.INSTANCE);
        lease.stream().flush();
        for (ByteBuf piece = origin.readOutbound(); piece != null; piece = origin.readOutbound()) {
            piece.release();
        }
        origin.writeInbound(answer.retainedDuplicate());
        lease.giveBack();
    }

    // ---- what the pool and the connection tell

    @Override
    public void onLease(ConnectionLease lease) {
        lent.add(lease);
    }

    @Override
    public void onAcquireFailed(GatewayError error) {
        throw new IllegalStateException(error.detail());
    }

    @Override
    public void onInformational(ResponseHead interim) {}

    @Override
    public void onResponseHead(ResponseHead answered) {}

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
    public void onOriginFailed(GatewayError error) {
        throw new IllegalStateException(error.detail());
    }
}
