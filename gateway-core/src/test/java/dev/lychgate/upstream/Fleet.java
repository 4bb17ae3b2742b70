package dev.lychgate.upstream;

import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.resilience.Protection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** An upstream with a clock that the test advances, and loops that use it. Endpoints have numbers. */
final class Fleet {
    private final List<EndpointConfig> configs = new ArrayList<>();
    private long now = Duration.ofHours(1).toNanos();
    private static final Protection PROTECTION =
            Protection.of(UpstreamConfig.of("fleet", new EndpointConfig("10.9.9.9", 9)), 1);
    private final UpstreamStates states = new UpstreamStates(() -> now, 1);
    private BalanceConfig balance = BalanceConfig.DEFAULT;
    private Upstream upstream =
            new Upstream(config(new EndpointConfig("10.9.9.9", 9)), states.of("fleet"), PROTECTION, null);

    /** Creates a number of endpoints with the same weight. */
    static Fleet of(int endpoints) {
        return weights(IntStream.range(0, endpoints).map(i -> 1).toArray());
    }

    /** One endpoint per weight. */
    static Fleet weights(int... weights) {
        Fleet fleet = new Fleet();
        for (int weight : weights) {
            fleet.put(weight, "", 0, Map.of());
        }
        return fleet.rebuild();
    }

    Fleet add(int weight, String zone, int priority, Map<String, String> metadata) {
        put(weight, zone, priority, metadata);
        return rebuild();
    }

    private void put(int weight, String zone, int priority, Map<String, String> metadata) {
        configs.add(new EndpointConfig(addressOf(configs.size()), weight, zone, priority, metadata));
    }

    Fleet balance(BalanceConfig other) {
        balance = other;
        return rebuild();
    }

    /** The same without the last endpoint, as the next generation. */
    Fleet removeLast() {
        configs.remove(configs.size() - 1);
        return rebuild().takeOver();
    }

    /** Makes the source of an endpoint report it as draining. */
    Fleet drainAtSource(int number) {
        EndpointConfig before = configs.get(number);
        configs.set(
                number,
                new EndpointConfig(
                        before.address(),
                        before.weight(),
                        before.zone(),
                        before.priority(),
                        before.metadata(),
                        "",
                        "",
                        EndpointReadiness.DRAINING));
        return rebuild();
    }

    /** This generation takes effect. */
    Fleet takeOver() {
        states.keep(List.of(upstream));
        return this;
    }

    /** Ends an ejection. */
    void readmit(int number) {
        if (state().of(addressOf(number)).ejectedUntil() > now) {
            state().eject(addressOf(number), now);
        }
    }

    private Fleet rebuild() {
        if (!configs.isEmpty()) {
            upstream =
                    new Upstream(config(configs.toArray(EndpointConfig[]::new)), states.of("fleet"), PROTECTION, null);
        }
        return this;
    }

    private UpstreamConfig config(EndpointConfig... endpoints) {
        return UpstreamConfig.of("fleet", endpoints).withBalance(balance);
    }

    static EndpointAddress addressOf(int number) {
        return new EndpointAddress("10.0." + number / 256 + "." + number % 256, 80);
    }

    Upstream upstream() {
        return upstream;
    }

    Endpoint endpoint(int number) {
        return upstream.endpoints().get(number);
    }

    int numberOf(Endpoint endpoint) {
        return upstream.endpoints().indexOf(endpoint);
    }

    UpstreamState state() {
        return upstream.state();
    }

    Fleet fail(int... numbers) {
        for (int number : numbers) {
            state().health(addressOf(number), EndpointState.Health.UNHEALTHY);
        }
        return this;
    }

    Fleet recover(int number) {
        state().health(addressOf(number), EndpointState.Health.HEALTHY);
        return this;
    }

    Fleet admin(int number, EndpointState.AdminState admin) {
        state().admin(addressOf(number), admin);
        return this;
    }

    long now() {
        return now;
    }

    Fleet pass(Duration time) {
        now += time.toNanos();
        return this;
    }

    EndpointSet set() {
        return upstream.whole().current(now);
    }

    /** The share of each endpoint, in whole percent. */
    List<Integer> percent() {
        EndpointSet set = set();
        return upstream.endpoints().stream()
                .map(e -> (int) Math.round(100 * set.share(e)))
                .toList();
    }

    /** One loop's balancers. */
    LoopBalancers loop(int index, long seed) {
        return new LoopBalancers(index, new SplittableRandom(seed), () -> now);
    }

    LoadBalancer balancer(long seed) {
        return loop(0, seed).of(upstream.whole());
    }

    /** Returns how often each endpoint is chosen in {@code choices}. */
    long[] choose(int choices, long seed) {
        LoadBalancer balancer = balancer(seed);
        long[] chosen = new long[upstream.endpoints().size()];
        for (int i = 0; i < choices; i++) {
            chosen[numberOf(Some.request(balancer, Some.client(i)))]++;
        }
        return chosen;
    }
}
