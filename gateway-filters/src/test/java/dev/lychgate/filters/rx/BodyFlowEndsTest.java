package dev.lychgate.filters.rx;

import static dev.lychgate.filters.rx.RxBodiesTest.GET;
import static dev.lychgate.filters.rx.RxBodiesTest.chunked;
import static dev.lychgate.filters.rx.RxBodiesTest.gateway;
import static dev.lychgate.filters.rx.RxBodiesTest.outbound;
import static dev.lychgate.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import io.reactivex.rxjava3.core.Flowable;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Publishers of response bodies that end in an unexpected place, break their contract, or stand among transforms. */
@Tag("slow")
class BodyFlowEndsTest {
    /** Makes each chunk many parts, as a decoder does, and counts calls after its end. */
    private static final class Expanding implements BodyTransform {
        private final int parts;
        private final AtomicInteger made;
        private final AtomicInteger late;
        private int left;
        private boolean closed;

        Expanding(int parts, AtomicInteger made, AtomicInteger late) {
            this.parts = parts;
            this.made = made;
            this.late = late;
        }

        private byte[] part() {
            if (closed) {
                late.incrementAndGet();
            }
            made.incrementAndGet();
            return new byte[64 << 10];
        }

        @Override
        public byte[] piece(byte[] piece) {
            left = parts - 1;
            return part();
        }

        @Override
        public boolean hasMore() {
            return left > 0;
        }

        @Override
        public byte[] more() {
            left--;
            return part();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void noTransformIsCalledAfterAPublisherHasEndedTheExchange() throws Exception {
        AtomicInteger made = new AtomicInteger();
        AtomicInteger late = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(chunked("ab", "cd")));
                Gateway gateway = gateway(
                        origin.port(),
                        outbound("decode", r -> r.transformBody(new Expanding(8, made, late))),
                        outbound("first", r -> RxBodies.map(r, body -> body.take(1)))
                                .at(1));
                RawClient client = RawClient.connect(gateway.address("main"))) {
            assertThat(client.send(GET).readResponse().body()).hasSize(64 << 10);
            assertThat(made).hasPositiveValue();
            assertThat(late).hasValue(0);
        }
    }

    @Test
    void theOriginalDoesNotFollowAReplacedBody() throws Exception {
        TestFilter late = outbound(
                        "late",
                        r -> RxBodies.map(
                                r,
                                body -> Flowable.fromCallable(() -> "<".getBytes(UTF_8))
                                        .subscribeOn(RxBodiesTest.ELSEWHERE)
                                        .concatWith(body)))
                .at(1);
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answeringWhoStays((request, c) -> c.send(chunked("secret", "secret")));
                Gateway gateway = gateway(origin.port(), outbound("mask", r -> r.setText("masked")), late);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            RawMessage response = client.send(GET).readResponse();
            assertThat(response.body()).isEqualTo("<masked");
            assertThat(response.trailers()).isEmpty();
        }
    }

    private final AtomicInteger ended = new AtomicInteger();
    private final TestFilter counted = TestFilter.of("counted", FilterPhase.INBOUND, exchange -> {
        exchange.onCompleted(completion -> ended.incrementAndGet());
        return exchange.proceed();
    });

    /** A publisher that breaks its contract. */
    private record Broken(boolean onRequest, Flow.Publisher<byte[]> body) implements Flow.Publisher<byte[]> {
        @Override
        public void subscribe(Flow.Subscriber<? super byte[]> by) {
            by.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long n) {
                    if (onRequest) {
                        throw new LinkageError("request() of a test");
                    }
                }

                @Override
                public void cancel() {
                    throw new LinkageError("cancel() of a test");
                }
            });
        }
    }

    @Test
    void aPublisherThatThrowsWhenItIsAskedAbortsItsResponseOnly() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(chunked("ab")));
                Gateway gateway = gateway(
                        origin.port(), counted, outbound("broken", r -> r.mapBody(body -> new Broken(true, body))))) {
            for (int i = 0; i < 3; i++) {
                try (RawClient client = RawClient.connect(gateway.address("main"))) {
                    client.send(GET);
                    assertThatThrownBy(client::readResponse).isInstanceOf(IOException.class);
                }
            }
            eventually(() -> assertThat(ended).hasValue(3));
        }
    }

    @Test
    void aPublisherThatThrowsWhenItIsCancelledDoesNotKeepItsExchange() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(chunked("ab")));
                Gateway gateway = gateway(
                        origin.port(), counted, outbound("broken", r -> r.mapBody(body -> new Broken(false, body))))) {
            try (RawClient client = RawClient.connect(gateway.address("main"))) {
                client.send(GET).readHead();
                assertThat(ended).hasValue(0);
            }
            eventually(() -> assertThat(ended).hasValue(1));
        }
    }

    @Test
    void aResponseToHeadIsReadToItsEndWhateverItsOriginSends() throws Exception {
        TestFilter get = TestFilter.of("get", FilterPhase.INBOUND, exchange -> {
            exchange.getRequest().setMethod("GET");
            return exchange.proceed();
        });
        String[] chunks = new String[200];
        Arrays.fill(chunks, "x".repeat(16 << 10));
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(chunked(chunks)));
                Gateway gateway = gateway(origin.port(), get, outbound("map", r -> RxBodies.map(r, body -> body)));
                RawClient client = RawClient.connect(gateway.address("main"))) {
            for (int i = 0; i < 3; i++) {
                client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.readResponseTo("HEAD").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void anItemThatALaterTransformExpandsWaitsForTheClient() throws Exception {
        AtomicInteger made = new AtomicInteger();
        int parts = 2000;
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(chunked("ab")));
                Gateway gateway = gateway(
                        origin.port(),
                        outbound("map", r -> RxBodies.map(r, body -> body)),
                        outbound("expand", r -> r.transformBody(new Expanding(parts, made, new AtomicInteger())))
                                .at(1));
                Socket client = new Socket()) {
            client.setReceiveBufferSize(64 << 10);
            client.connect(gateway.address("main"));
            client.getOutputStream().write(GET.getBytes(UTF_8));
            eventually(() -> {
                int before = made.get();
                TimeUnit.MILLISECONDS.sleep(300);
                assertThat(before).isPositive().isEqualTo(made.get());
            });
            assertThat(made.get()).isLessThan(parts / 2);
            long all = 0;
            byte[] block = new byte[64 << 10];
            while (all < (long) parts << 16) {
                int n = client.getInputStream().read(block);
                assertThat(n).isPositive();
                all += n;
            }
            assertThat(made).hasValue(parts);
        }
    }
}
