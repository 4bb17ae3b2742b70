package dev.lychgate.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoFaultsTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // overflows within the first second
    private final DemoFaults faults = new DemoFaults(nanos::get);

    @ParameterizedTest
    @CsvSource({"0,false", "9,false", "10,true", "29,true", "30,false", "69,false", "70,true", "89,true", "90,false"})
    void failsPaymentsForTwentySecondsOfEachMinute(long second, boolean fails) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(second));

        assertThat(faults.apply("/payments/1")).isEqualTo(fails ? "/payments/1?status=503" : "/payments/1");
        assertThat(faults.apply("/payments/1?a=b")).endsWith(fails ? "?a=b&status=503" : "?a=b");
    }

    @Test
    void failsOneOrderInTen() {
        assertThat(IntStream.range(0, 30)
                        .filter(i -> faults.apply("/orders/7").contains("status=500"))
                        .boxed())
                .containsExactly(9, 19, 29);
    }

    @Test
    void slowsReportsAndLeavesOtherTargetsAlone() {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(15));

        assertThat(faults.apply("/reports/daily")).matches("/reports/daily\\?delay=\\d+&dither=\\d+");
        assertThat(faults.apply("/?length=1024")).isEqualTo("/?length=1024");
        assertThat(faults.apply("/headers")).isEqualTo("/headers");
        assertThat(faults.apply("/inventory/1")).isEqualTo("/inventory/1");
    }
}
