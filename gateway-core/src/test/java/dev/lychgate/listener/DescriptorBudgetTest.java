package dev.lychgate.listener;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.Codec;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.Transport;
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
    void theSoftLimitIsWhatTheProcessHas() {
        assertEquals(20_000, DescriptorBudget.limitIn(LIMITS));
    }

    @Test
    void whatDoesNotTellALimitIsNotTakenForOne() {
        assertEquals(0, DescriptorBudget.limitIn(""));
        assertEquals(0, DescriptorBudget.limitIn("Max open files            unlimited            unlimited   files"));
    }

    @Test
    void aSmallLimitIsSharedAndALargeOneLeavesEveryoneWhatTheyAskFor() {
        ListenerConfig listener = ListenerConfig.of("main", new BindAddress("127.0.0.1", 0));
        GatewayConfig config = new GatewayConfig(
                1,
                Transport.AUTO,
                Codec.DEFAULT,
                GatewayConfig.DEFAULT_DRAIN,
                List.of(listener),
                List.of(),
                Map.of(),
                null,
                AccessLogConfig.DEFAULT);

        assertEquals(
                1_024 - DescriptorBudget.OWN_NEEDS,
                DescriptorBudget.of(1_024, config).connections(listener));
        assertEquals(
                listener.limits().connections(),
                DescriptorBudget.of(1 << 20, config).connections(listener));
    }
}
