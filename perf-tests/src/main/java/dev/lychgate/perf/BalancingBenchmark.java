package dev.lychgate.perf;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.generation.Generation;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.Turn;
import dev.lychgate.upstream.BalanceContext;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointLoad;
import dev.lychgate.upstream.LoopBalancers;
import dev.lychgate.upstream.Subset;
import dev.lychgate.upstream.Upstream;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalIoHandler;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The choice of an endpoint, with the two updates of its number of running requests: at the start and at the end of a
 * request.
 */
@Warmup(iterations = 3, time = 1)
public class BalancingBenchmark extends NanosecondBenchmark implements BalanceContext {
    private static final long LATENCY = TimeUnit.MILLISECONDS.toNanos(1);

    @Param({"ROUND_ROBIN", "RANDOM", "LEAST_REQUESTS", "LEAST_RESPONSE_TIME", "CLIENT_IP_HASH"})
    Algorithm algorithm = Algorithm.LEAST_REQUESTS;

    @Param({"5", "100"})
    int endpoints = 5;

    private final RequestHead head =
            new RequestHead(HttpMethod.GET, false, "/x", null, "example.com", new DefaultHttpHeaders());
    private final InetAddress client = InetAddress.getLoopbackAddress();
    private final Loop loop =
            new Loop(new ManualIoEventLoop(Thread.currentThread(), LocalIoHandler.newFactory()), 0, Turn.unlimited());
    private final LoopBalancers balancers = new LoopBalancers(loop);
    private @Nullable Subset subset;

    @Setup
    public void build() {
        EndpointConfig[] all = IntStream.range(0, endpoints)
                .mapToObj(i -> new EndpointConfig("10.0.0." + (i + 1), 80))
                .toArray(EndpointConfig[]::new);
        UpstreamConfig config = UpstreamConfig.of("origin", all).withBalance(BalanceConfig.of(algorithm));
        Generation generation = Generation.first(SmallConfig.to(config), FilterSet.EMPTY, 1);
        Upstream upstream = Objects.requireNonNull(generation.upstream("origin"));
        subset = upstream.whole();
    }

    /** One request, answered. */
    @Benchmark
    public Endpoint choose() {
        Subset of = subset;
        if (of == null) {
            throw new IllegalStateException("not set up");
        }
        Endpoint chosen = balancers.of(of).choose(this);
        if (chosen == null) {
            throw new IllegalStateException("none to choose");
        }
        EndpointLoad load = balancers.load(chosen);
        load.begin();
        load.end(LATENCY, EndpointLoad.End.ANSWERED, loop.deadlines().now());
        return chosen;
    }

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public InetAddress clientAddress() {
        return client;
    }

    @Override
    public boolean isFirst() {
        return true;
    }

    @Override
    public boolean tried(Endpoint endpoint) {
        return false;
    }
}
