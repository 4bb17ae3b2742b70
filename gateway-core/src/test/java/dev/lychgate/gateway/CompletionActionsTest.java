package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.Completion;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Actions of filters at the end of an exchange. */
class CompletionActionsTest {
    /** Without locks, since event loops add to it. */
    private final Queue<Object> seen = new ConcurrentLinkedQueue<>();

    /** A filter that only reads exchanges. */
    private record Looking(Consumer<FilterExchange> at) implements InboundFilter, SyncFilter {
        @Override
        public String name() {
            return "looking";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            at.accept(exchange);
            return exchange.proceed();
        }
    }

    private Running gateway(ScriptedOrigin origin, Consumer<FilterExchange> look) {
        return Setup.to(origin.address())
                .filters(FilterSet.of(new Looking(look)))
                .start();
    }

    private Object next() throws Exception {
        eventually(() -> assertThat(seen).isNotEmpty());
        return seen.remove();
    }

    @Test
    void actionsRunInOrderOnTheEventLoopAfterTheLastByte() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("0123456789")));
                Running gateway = gateway(origin, exchange -> {
                    Thread loop = Thread.currentThread();
                    exchange.onCompleted(seen::add);
                    exchange.onCompleted(end -> seen.add(Thread.currentThread() == loop));
                });
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
            assertThat(client.readResponse().body()).isEqualTo("0123456789");

            Completion end = (Completion) next();
            assertThat(end.status()).isEqualTo(200);
            assertThat(end.error()).isNull();
            assertThat(end.requestBytes()).isEqualTo(3);
            assertThat(end.responseBytes()).isEqualTo(10);
            assertThat(end.duration()).isPositive();
            assertThat(next()).isEqualTo(true);
        }
    }

    @Test
    void actionsReceiveTheAbortOfTheClientWithinTheResponse() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234"));
                Running gateway = gateway(origin, exchange -> exchange.onCompleted(seen::add))) {
            try (RawClient client = gateway.client()) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readHead();
            }
            Completion end = (Completion) next();
            assertThat(end.status()).isEqualTo(200);
            assertThat(end.error()).isEqualTo(ErrorKind.CLIENT_GONE);
            assertThat(end.responseBytes()).isLessThan(10);
        }
    }

    @Test
    void actionsReceiveTheFailureOfTheOrigin() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.close());
                Running gateway = gateway(origin, exchange -> exchange.onCompleted(seen::add));
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(502);
            Completion end = (Completion) next();
            assertThat(end.status()).isEqualTo(502);
            assertThat(end.error()).isNotNull();
        }
    }

    @Test
    void anActionThatThrowsIsAFailureOfTheFilterAndTheOthersRun() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = gateway(origin, exchange -> {
                    exchange.onCompleted(end -> {
                        throw new IllegalStateException("broken");
                    });
                    exchange.onCompleted(end -> seen.add("ran"));
                });
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("x");
            assertThat(next()).isEqualTo("ran");
            assertThat(client.get("/").body()).isEqualTo("x");
            assertThat(next()).isEqualTo("ran");
            assertThat(gateway.gateway()
                            .generation()
                            .filters()
                            .slots()
                            .get(0)
                            .stats()
                            .failures())
                    .isEqualTo(2);
        }
    }

    @Test
    void actionsCannotUseTheExchange() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = gateway(
                        origin,
                        exchange -> exchange.onCompleted(end -> {
                            try {
                                seen.add(exchange.getRequest());
                            } catch (IllegalStateException e) {
                                seen.add(e);
                            }
                        }));
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("x");
            assertThat(next()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void actionsReceiveTheTimeoutOfTheExchange() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {});
                Running gateway = gateway(origin, exchange -> {
                    exchange.setExchangeTimeout(Duration.ofMillis(200));
                    exchange.onCompleted(seen::add);
                });
                RawClient client = gateway.client()) {
            assertThat(client.get("/").status()).isEqualTo(504);
            assertThat(((Completion) next()).error()).isEqualTo(ErrorKind.EXCHANGE_TIMEOUT);
        }
    }
}
