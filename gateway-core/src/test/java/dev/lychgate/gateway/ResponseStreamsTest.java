package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.FilterResponse;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RawMessage.Field;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Publishers and transforms of response bodies that are complete, or held, before they are sent. */
@Tag("slow")
class ResponseStreamsTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String CHUNKED =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 1\r\n\r\n";

    private static TestFilter onResponse(String name, Consumer<FilterResponse> action) {
        return TestFilter.of(name, FilterPhase.OUTBOUND, exchange -> {
            action.accept(exchange.getResponse());
            return exchange.proceed();
        });
    }

    /** Subscribes to the body before the response is sent and fails at its first chunk. */
    private record Eager(boolean completes) implements Flow.Subscriber<byte[]> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(byte[] item) {
            throw new IllegalStateException("onNext() of a test");
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}

        /** Returns a publisher that emits nothing. */
        Flow.Publisher<byte[]> after(Flow.Publisher<byte[]> body) {
            body.subscribe(this);
            return by -> {
                by.onSubscribe(new Flow.Subscription() {
                    @Override
                    public void request(long n) {}

                    @Override
                    public void cancel() {}
                });
                if (completes) {
                    by.onComplete();
                }
            };
        }
    }

    private static RawMessage get(String response, TestFilter... filters) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) -> c.send(response));
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(filters))
                        .start();
                RawClient client = gateway.client()) {
            return client.send(GET).readResponse();
        }
    }

    @Test
    void abortTheResponseIfTheyFailAtAChunkThatWasHeld() {
        assertThatThrownBy(() -> get(Responses.ok("hi"), onResponse("map", response -> {
                    response.setText("new");
                    response.mapBody(new Eager(false)::after);
                })))
                .isInstanceOf(IOException.class);
    }

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Test
    void mayEndTheResponseBeforeTheHeldBodyIsSent() throws Exception {
        RawMessage response = get(Responses.ok("hi"), onResponse("map", message -> {
            message.setText("new");
            message.mapBody(new Eager(true)::after);
            message.onTrailers(trailers -> seen.add("called"));
        }));
        assertThat(response.body()).isEmpty();
        assertThat(seen).containsExactly("called");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void keepTheTrailersOfABodyThatWasReadBefore(boolean changes) throws Exception {
        RawMessage response = get(
                CHUNKED,
                onResponse("read", message -> seen.add(message.getText())).needing(100),
                onResponse("lines", message -> {
                            message.eachLine(line -> {
                                if (changes) {
                                    line.setText(line.getText().toUpperCase(Locale.ROOT));
                                }
                            });
                            message.onTrailers(trailers -> seen.add(trailers.get("x-sum") + ""));
                        })
                        .at(1));
        assertThat(response.body()).isEqualTo(changes ? "HI" : "hi");
        assertThat(response.value("trailer")).contains("X-Sum");
        assertThat(response.trailers()).containsExactly(new Field("X-Sum", "1"));
        assertThat(seen).containsExactly("hi", "1");
    }

    @Test
    void dropTheTrailersOfABodyThatIsReplacedAfterATransform() throws Exception {
        RawMessage response = get(
                CHUNKED,
                onResponse("lines", message -> message.eachLine(line -> line.setText("x"))),
                onResponse("set", message -> message.setText(message.getText() + "y"))
                        .needing(100)
                        .at(1));
        assertThat(response.body()).isEqualTo("xy");
        assertThat(response.value("trailer")).isEmpty();
        assertThat(response.trailers()).isEmpty();
    }

    /** Emits an empty item for each request, at once, until {@code done}. */
    private record Endless(Flow.Subscriber<? super byte[]> to, AtomicBoolean done) implements Flow.Subscription {
        @Override
        public void request(long n) {
            if (done.get()) {
                to.onComplete();
            } else {
                to.onNext(new byte[0]);
            }
        }

        @Override
        public void cancel() {}
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leaveTheEventLoopToOtherExchangesWhileTheyEmit(boolean afterTheBody) throws Exception {
        AtomicBoolean other = new AtomicBoolean();
        CountDownLatch emitting = new CountDownLatch(1);
        TestFilter map = TestFilter.of("map", FilterPhase.OUTBOUND, exchange -> {
            if (exchange.getRequest().getPath().equals("/other")) {
                other.set(true);
            } else {
                exchange.getResponse().mapBody(body -> by -> {
                    Runnable start = () -> {
                        emitting.countDown();
                        by.onSubscribe(new Endless(by, other));
                    };
                    if (afterTheBody) {
                        body.subscribe(new BodyReader(start));
                    } else {
                        start.run();
                    }
                });
            }
            return exchange.proceed();
        });
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.ok("hi")));
                Running gateway =
                        Setup.to(origin.address()).filters(FilterSet.of(map)).start();
                RawClient client = gateway.client();
                RawClient second = gateway.client()) {
            client.send(GET);
            emitting.await();
            assertThat(second.get("/other").body()).isEqualTo("hi");
            assertThat(client.readResponse().body()).isEmpty();
        }
    }
}
