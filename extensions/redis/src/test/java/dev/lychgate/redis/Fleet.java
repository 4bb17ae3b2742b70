package dev.lychgate.redis;

import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.limit.RateLimit;
import dev.lychgate.limit.SharedLimit;
import dev.lychgate.server.yaml.ConfigReader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Gateways in this process that share a rate limit, each with its own store. */
final class Fleet implements AutoCloseable {
    private final List<RedisStore> stores = new ArrayList<>();
    private final List<Gateway> gateways = new ArrayList<>();

    /**
     * Starts gateways, and waits until their stores know all of them.
     *
     * @param limit the settings of the limit in YAML
     * @param redis the settings of the extension
     */
    static Fleet start(int count, String limit, Map<String, Object> redis) throws Exception {
        GatewayConfig config = new ConfigReader(name -> null)
                .read("gateway.yml", """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                workers: 1
                rate-limits: { shared: { %s, scope: fleet } }
                routes: [{ id: all, rate-limit: shared, respond: { status: 204 } }]
                """.formatted(limit))
                .config();
        Fleet fleet = new Fleet();
        for (int i = 0; i < count; i++) {
            RedisStore store = RedisStoreTest.store(redis);
            fleet.stores.add(store);
            fleet.gateways.add(Gateway.start(config, FilterSet.EMPTY.withBuckets(store), ExchangeObserver.NONE));
        }
        eventually(Duration.ofSeconds(20), () -> assertThat(fleet.stores).allMatch(store -> store.gateways() == count));
        return fleet;
    }

    List<InetSocketAddress> addresses() {
        return gateways.stream().map(gateway -> gateway.address("main")).toList();
    }

    private RateLimit limit(int gateway) {
        return requireNonNull(gateways.get(gateway).generation().rateLimits())
                .all()
                .iterator()
                .next();
    }

    SharedLimit shared(int gateway) {
        return requireNonNull(limit(gateway).shared());
    }

    /** Returns the units that the limit may admit beyond burst and rate. */
    int slack() {
        return gateways.size() * 2 * (int) shared(0).lease();
    }

    boolean isLost() {
        for (int i = 0; i < gateways.size(); i++) {
            if (shared(i).isLost()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        gateways.forEach(Gateway::close);
        stores.forEach(RedisStore::close);
    }
}
