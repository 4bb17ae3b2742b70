package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A gateway reports the end of one of its event loops, and its operator ends the process. */
class DeadLoopTest {
    @Test
    void reportsADeadLoopToTheOperator() throws Exception {
        try (Running gateway = new Setup().workers(2).start()) {
            assertThat(gateway.gateway().broken()).isNotDone();
            gateway.gateway().loops().iterator().next().shutdownGracefully(0, 0, TimeUnit.SECONDS);
            gateway.gateway().broken().get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void closingReportsNoDeadLoop() {
        Running gateway = new Setup().workers(2).start();
        gateway.close();
        assertThat(gateway.gateway().broken()).isNotDone();
    }
}
