package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.lychgate.config.BalanceConfig;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Choosing an endpoint, and counting its running requests, allocates nothing. */
class AllocationTest {
    private static final int CHOICES = 20_000;

    @ParameterizedTest
    @MethodSource("dev.lychgate.upstream.LoadBalancerTest#everyAlgorithm")
    void aChoiceAllocatesNothing(BalanceConfig config) {
        Fleet fleet = Fleet.weights(3, 2, 1).balance(config);
        LoopBalancers loop = fleet.loop(0, 61);
        Some exchange = Some.client(1);
        choose(fleet, loop, exchange);

        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        choose(fleet, loop, exchange);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(before).as("allocations are measured").isPositive();
        // Less than a byte for each: the measurement itself may allocate.
        assertThat(allocated).isLessThan(CHOICES);
    }

    private static void choose(Fleet fleet, LoopBalancers loop, Some exchange) {
        for (int i = 0; i < CHOICES; i++) {
            EndpointLoad load = loop.load(Some.request(loop.of(fleet.upstream().whole()), exchange));
            load.begin();
            load.end(1_000_000, EndpointLoad.End.ANSWERED, fleet.now());
        }
    }
}
