package dev.lychgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.ListenerLimits;
import dev.lychgate.config.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DescriptorBudgetTest {
    private static final String LIMITS = """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             96365                96365                processes
        Max open files            20000                1048576              files
        Max locked memory         8388608              8388608              bytes
        """;

    @Test
    void readsTheSoftLimitOfTheProcess() {
        assertEquals(20_000, DescriptorBudget.limitIn(LIMITS));
    }

    @Test
    void ignoresTextWithoutALimit() {
        assertEquals(0, DescriptorBudget.limitIn(""));
        assertEquals(0, DescriptorBudget.limitIn("Max open files            unlimited            unlimited   files"));
    }

    @Test
    void aSmallLimitIsSharedAndALargeOneLeavesEveryoneWhatTheyAskFor() {
        ListenerConfig listener = ListenerConfig.of("main", new BindAddress("127.0.0.1", 0));
        GatewayConfig config = config(listener);

        assertEquals(
                1_024 - DescriptorBudget.OWN_NEEDS,
                DescriptorBudget.of(1_024, config).connections(listener));
        assertEquals(
                listener.limits().connections(),
                DescriptorBudget.of(1 << 20, config).connections(listener));
    }

    private static GatewayConfig config(ListenerConfig listener) {
        return new GatewayConfig(
                1,
                Transport.AUTO,
                GatewayConfig.DEFAULT_DRAIN,
                List.of(listener),
                List.of(),
                Map.of(),
                null,
                AccessLogConfig.DEFAULT);
    }

    @Test
    void tooSmallALimitIsAShortageWithWhatItWouldTake() {
        GatewayConfig config = config(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0)));
        int least = DescriptorBudget.OWN_NEEDS + DescriptorBudget.LEAST_CLIENTS;

        assertNull(DescriptorBudget.of(least, config).shortage());
        assertEquals(
                "the process may open 256 files, which leaves room for 2 client connections (expected: at least 64);"
                        + " raise ulimit -n to 384 for the minimum, or to 40256 for all configured connections",
                DescriptorBudget.of(256, config).shortage());
    }

    @Test
    void aListenerForFewConnectionsNeedsNoMoreThanThose() {
        GatewayConfig few = listeners(8);

        assertNull(DescriptorBudget.of(DescriptorBudget.OWN_NEEDS + 8, few).shortage());
        assertNotNull(DescriptorBudget.of(DescriptorBudget.OWN_NEEDS + 7, few).shortage());
    }

    private static GatewayConfig listeners(int... connections) {
        List<ListenerConfig> listeners = new ArrayList<>();
        for (int limit : connections) {
            ListenerConfig d = ListenerConfig.of("l" + listeners.size(), new BindAddress("127.0.0.1", 0));
            ListenerLimits limits = new ListenerLimits(
                    limit,
                    d.limits().startLine(),
                    d.limits().headerCount(),
                    d.limits().headerBytes(),
                    d.limits().body());
            listeners.add(new ListenerConfig(
                    d.name(),
                    d.address(),
                    d.socket(),
                    limits,
                    d.timeouts(),
                    d.paths(),
                    d.protocols(),
                    d.http2(),
                    d.trustedProxies(),
                    d.clientAddress(),
                    d.forwarded(),
                    d.tls(),
                    d.redirectToHttps(),
                    d.proxyProtocol(),
                    d.rateLimit(),
                    d.clientProtection(),
                    d.authenticate()));
        }
        return new GatewayConfig(
                1,
                Transport.AUTO,
                GatewayConfig.DEFAULT_DRAIN,
                listeners,
                List.of(),
                Map.of(),
                null,
                AccessLogConfig.DEFAULT);
    }

    /** Returns the share of each listener in the given number of connections. */
    private static List<Integer> dealt(int available, int... connections) {
        GatewayConfig config = listeners(connections);
        DescriptorBudget budget = DescriptorBudget.of(available + DescriptorBudget.OWN_NEEDS, config);
        return config.listeners().stream().map(budget::connections).toList();
    }

    @Test
    void smallLimitsAreHonoredBeforeLargeOnesShareTheRest() {
        assertEquals(List.of(500, 11_500), dealt(12_000, 500, 20_000));
        assertEquals(List.of(11_500, 500), dealt(12_000, 20_000, 500));
        assertEquals(List.of(100, 5_950, 5_950), dealt(12_000, 100, 20_000, 1_000_000));
        assertEquals(List.of(100, 4_000, 7_900), dealt(12_000, 100, 4_000, 20_000));
        assertEquals(List.of(384, 384), dealt(768, 500, 20_000));
    }

    @Test
    void noListenerGetsMoreThanItAsksForNorLessThanOneConnection() {
        assertEquals(List.of(500, 20_000), dealt(20_500, 500, 20_000));
        assertEquals(List.of(500, 19_999), dealt(20_499, 500, 20_000));
        assertEquals(List.of(1, 1, 1), dealt(2, 1, 500, 20_000));
        assertEquals(List.of(1, 1), dealt(-200, 500, 20_000));
        assertEquals(List.of(Integer.MAX_VALUE / 2, 100), dealt(Integer.MAX_VALUE - 1_000, Integer.MAX_VALUE / 2, 100));
    }
}
