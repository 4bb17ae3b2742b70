package dev.lychgate.perf;

import dev.lychgate.config.LimitKey;
import dev.lychgate.config.Rate;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RateLimitConfig.Mode;
import dev.lychgate.config.RateLimitConfig.OnLoss;
import dev.lychgate.config.RateLimitConfig.Scope;
import dev.lychgate.config.RateLimitConfig.Unit;
import dev.lychgate.http.RequestHead;
import dev.lychgate.limit.RateLimit;
import dev.lychgate.route.Ingress;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** The decision of a rate limit about one request, with its key. */
@Warmup(iterations = 3, time = 1)
public class RateLimitBenchmark extends NanosecondBenchmark {
    @Param({"client", "header:x-tenant"})
    String key = "client";

    /** The number of different values of the key; a power of two. */
    @Param({"1", "65536"})
    int keys = 1;

    @Param({"admitted", "refused"})
    String outcome = "admitted";

    private final Ingress.Known[] clients = new Ingress.Known[1 << 16];
    private final RequestHead[] heads = new RequestHead[1 << 16];
    private RateLimit limit = new RateLimit("none", RateLimitConfig.of("1/s"));
    private int next;

    @Setup
    public void build() throws Exception {
        boolean admits = outcome.equals("admitted");
        Rate rate = Rate.parse(admits ? "100000000/s" : "1/d");
        limit = new RateLimit(
                "measured",
                new RateLimitConfig(
                        List.of(LimitKey.parse(key)),
                        rate,
                        0,
                        Unit.REQUESTS,
                        Mode.ENFORCE,
                        1 << 18,
                        Scope.LOCAL,
                        OnLoss.SHARE));
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
            if (!admits) {
                limit.take(limit.key(heads[i], clients[i], null), RateLimit.now());
            }
        }
    }

    @Benchmark
    public long decide() {
        int i = next++ & (keys - 1);
        return limit.take(limit.key(heads[i], clients[i], null), RateLimit.now());
    }
}
