package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterMessage;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies with many small items: the event loop serves other exchanges between them. */
@Tag("slow")
class SharedTurnsTest {
    private static final int ITEMS = 10_000;

    private final AtomicInteger items = new AtomicInteger();
    private final AtomicInteger before = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch sent = new CountDownLatch(1);

    /** Counts the items; holds the loop at the first one until the other request has arrived. */
    private void read(FilterMessage message, boolean drops) {
        message.eachLine(line -> {
            awaitOther();
            spin();
            items.incrementAndGet();
            if (drops) {
                line.drop();
            }
        });
    }

    /** Keeps the loop busy; blocking it fails the test. */
    private void awaitOther() {
        begun.countDown();
        while (sent.getCount() > 0) {
            before.incrementAndGet();
        }
    }

    /** Takes 10 µs, so that the bytes of the other request are in its socket long before the last item. */
    private static void spin() {
        long end = System.nanoTime() + 10_000;
        while (System.nanoTime() - end < 0) {
            Thread.currentThread().isInterrupted();
        }
    }

    private TestFilter reader(FilterPhase phase, boolean drops) {
        return TestFilter.of("lines", phase, exchange -> {
            if (!isOther(exchange)) {
                read(phase == FilterPhase.INBOUND ? exchange.getRequest() : exchange.getResponse(), drops);
            }
            return exchange.proceed();
        });
    }

    /** Notes how many items precede the other request. */
    private Filter counter() {
        return TestFilter.of("count", FilterPhase.INBOUND, exchange -> {
                    if (isOther(exchange)) {
                        before.set(items.get());
                    }
                    return exchange.proceed();
                })
                .at(-1);
    }

    private static boolean isOther(FilterExchange exchange) {
        return exchange.getRequest().getPath().equals("/other");
    }

    @ParameterizedTest
    @CsvSource({"INBOUND, false", "INBOUND, true", "OUTBOUND, false", "OUTBOUND, true"})
    void belongToOtherExchangesBetweenTheItemsOfABody(FilterPhase phase, boolean drops) throws Exception {
        String lines = "\n".repeat(ITEMS);
        boolean down = phase == FilterPhase.OUTBOUND;
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) ->
                        c.send(Responses.ok(down && request.startLine().startsWith("POST") ? lines : request.body())));
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(counter(), reader(phase, drops)))
                        .start();
                RawClient client = gateway.client();
                RawClient other = gateway.client()) {
            String body = down ? "" : lines;
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            try {
                assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
                other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n");
            } finally {
                sent.countDown();
            }
            assertThat(client.readResponse().body()).isEqualTo(drops ? "" : lines);
            assertThat(other.readResponse().status()).isEqualTo(200);
        }
        assertThat(items).hasValue(ITEMS);
        assertThat(before.get()).isLessThan(ITEMS);
    }
}
