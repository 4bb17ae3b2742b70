package dev.lychgate.perf;

import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteTable;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time to find a route in tables of growing size. Exact paths, prefixes, templates, and prefixes under a wildcard
 * host are a quarter of the routes each. Requests differ from call to call, so that neither branch predictor nor cache
 * can predict the result.
 */
@Warmup(iterations = 3, time = 1)
@Fork(1)
public class RouteTableBenchmark extends NanosecondBenchmark {
    private static final int REQUESTS = 1024;

    @Param({"10", "100", "1000", "5000", "10000"})
    int routes;

    @Param({"exact", "prefix", "template", "wildcard-host", "miss"})
    String kind = "exact";

    private final Ingress client = new Ingress.Known(InetAddress.getLoopbackAddress(), "main", false);
    private final SplittableRandom random = new SplittableRandom(1);
    private final List<RequestHead> requests = new ArrayList<>();
    private RouteTable table = RouteTable.build(List.of());
    private int next;

    /** Builds the table, and checks that the requests match the intended routes. */
    @Setup
    public void build() {
        List<RouteConfig> configs = new ArrayList<>();
        for (int i = 0; i < routes; i++) {
            configs.add(RouteConfig.proxy("route-" + i, match(i), "origin"));
        }
        table = RouteTable.build(configs);
        requests.clear();
        for (int i = 0; i < REQUESTS; i++) {
            RequestHead head = request(random.nextInt(Math.max(1, routes / 4)));
            Route route = table.match(head, client, random);
            if ((route == null) != kind.equals("miss")) {
                throw new IllegalStateException(kind + " meets " + route);
            }
            requests.add(head);
        }
    }

    @Benchmark
    public @Nullable Route match() {
        next = (next + 1) & (REQUESTS - 1);
        return table.match(requests.get(next), client, random);
    }

    private static MatchConfig match(int i) {
        int n = i / 4;
        return switch (i % 4) {
            case 0 -> MatchConfig.path("/shop/v1/exact-" + n + "/items");
            case 1 -> MatchConfig.path("/shop/v1/prefix-" + n + "/**");
            case 2 -> MatchConfig.path("/shop/v1/template-" + n + "/{user}/orders/{order}");
            default ->
                new MatchConfig(
                        List.of("*.tenant-" + n + ".example.com"),
                        "/shop/**",
                        List.of(),
                        Map.of(),
                        Map.of(),
                        List.of(),
                        null);
        };
    }

    private RequestHead request(int n) {
        return switch (kind) {
            case "exact" -> head("www.example.com", "/shop/v1/exact-" + n + "/items");
            case "prefix" -> head("www.example.com", "/shop/v1/prefix-" + n + "/some/thing/below");
            case "template" -> head("www.example.com", "/shop/v1/template-" + n + "/user-17/orders/4711");
            case "wildcard-host" -> head("www.tenant-" + n + ".example.com:8080", "/shop/v1/basket");
            default -> head("www.example.com", "/shop/v1/nothing-" + n + "/here");
        };
    }

    private static RequestHead head(String host, String path) {
        return new RequestHead(HttpMethod.GET, false, path, null, host, new DefaultHttpHeaders());
    }
}
