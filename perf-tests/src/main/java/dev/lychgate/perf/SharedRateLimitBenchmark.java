package dev.lychgate.perf;

import static java.util.Objects.requireNonNull;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.PoliciesConfig;
import dev.lychgate.config.Rate;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RateLimitConfig.Mode;
import dev.lychgate.config.RateLimitConfig.OnLoss;
import dev.lychgate.config.RateLimitConfig.Scope;
import dev.lychgate.config.RateLimitConfig.Unit;
import dev.lychgate.config.Transport;
import dev.lychgate.http.RequestHead;
import dev.lychgate.limit.BucketStore;
import dev.lychgate.limit.RateLimit;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.limit.SharedBucket;
import dev.lychgate.route.Ingress;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The decision of a leased rate limit about one request, including the computation of the key and the requests to the
 * store. The store responds at once, so the time contains all work of the gateway except that of the client library.
 */
@Warmup(iterations = 3, time = 1)
public class SharedRateLimitBenchmark extends NanosecondBenchmark {
    @Param({"client", "header:x-tenant"})
    String key = "client";

    /** The number of different values of the key; a power of two. */
    @Param({"1", "65536"})
    int keys = 1;

    /**
     * What decides about requests: {@code leased} for granted leases, {@code empty} for an empty bucket, {@code lost}
     * for the loss of the store.
     */
    @Param({"leased", "empty", "lost"})
    String outcome = "leased";

    private final Ingress.Known[] clients = new Ingress.Known[1 << 16];
    private final RequestHead[] heads = new RequestHead[1 << 16];
    private RateLimit limit = new RateLimit("none", RateLimitConfig.of("1/s"));
    private int next;

    /** A store that grants every lease, grants nothing, or fails. */
    private record Store(String outcome) implements BucketStore {
        @Override
        public void ask(Bucket bucket, long owed, long wanted, Outcome to) {
            switch (outcome) {
                case "leased" -> to.granted(wanted, bucket.burst(), 0);
                case "empty" -> to.granted(0, 0, 1_000_000_000_000L);
                default -> to.failed();
            }
        }

        @Override
        public int parts() {
            return 1;
        }

        @Override
        public int partOf(String name) {
            return 0;
        }

        @Override
        public int gateways() {
            return 3;
        }

        @Override
        public long deadline() {
            return 10_000_000;
        }
    }

    @Setup
    public void build() throws Exception {
        RateLimitConfig shared = new RateLimitConfig(
                List.of(LimitKey.parse(key)),
                Rate.parse("1000/s"),
                0,
                Unit.REQUESTS,
                Mode.ENFORCE,
                1 << 18,
                Scope.FLEET,
                OnLoss.SHARE);
        GatewayConfig config = new GatewayConfig(
                        1,
                        Transport.AUTO,
                        GatewayConfig.DEFAULT_DRAIN,
                        List.of(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0))),
                        List.of(),
                        Map.of(),
                        null,
                        AccessLogConfig.DEFAULT)
                .withPolicies(new PoliciesConfig(Map.of("measured", shared)));
        RateLimits limits = requireNonNull(RateLimits.of(config, null, new Store(outcome)));
        limit = requireNonNull(limits.get("measured"));
        for (int i = 0; i < clients.length; i++) {
            InetAddress address = InetAddress.getByAddress(new byte[] {10, 0, (byte) (i >> 8), (byte) i});
            clients[i] = new Ingress.Known(address, "main", false);
            heads[i] = new RequestHead(
                    HttpMethod.GET,
                    false,
                    "/x",
                    null,
                    "example.com",
                    new DefaultHttpHeaders().add("user-agent", "benchmark").add("x-tenant", "tenant-" + i));
            decide(i);
        }
    }

    private long decide(int i) {
        long now = RateLimit.now();
        long of = limit.key(heads[i], clients[i], null);
        SharedBucket bucket = requireNonNull(limit.bucket(of, heads[i], clients[i], null, now));
        return limit.take(bucket, now);
    }

    @Benchmark
    public long decide() {
        return decide(next++ & (keys - 1));
    }
}
