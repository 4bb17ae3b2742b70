package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Properties of an exchange that filters can read, and changes of its query, over real connections. */
class FilterFactsTest {
    private record Inbound(Consumer<FilterExchange> work) implements InboundFilter, SyncFilter {
        @Override
        public String name() {
            return "in";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            work.accept(exchange);
            return exchange.proceed();
        }
    }

    private record Outbound(Consumer<FilterExchange> work) implements OutboundFilter, SyncFilter {
        @Override
        public String name() {
            return "out";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            work.accept(exchange);
            return exchange.proceed();
        }
    }

    private static ScriptedOrigin echo() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.target())));
    }

    private static void show(FilterExchange exchange) {
        FilterRequest request = exchange.getRequest();
        request.setQueryParameter("seen", request.getScheme() + " " + request.getPort() + " " + request.getProtocol());
    }

    @Test
    void aFilterSetsAddsAndRemovesQueryParameters() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(new Inbound(exchange -> {
                            FilterRequest request = exchange.getRequest();
                            request.setQueryParameters(
                                    "all",
                                    List.copyOf(request.getQueryParameters().keySet()));
                            request.setQueryParameter("b", "x y");
                            request.removeQueryParameter("c");
                        })))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/p?a=%2f&b=1&c=2&b=3").body()).isEqualTo("/p?a=%2f&b=x%20y&all=a&all=b&all=c");
        }
    }

    @Test
    void aFilterReadsSchemePortAndProtocol() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(new Inbound(FilterFactsTest::show)))
                        .start();
                RawClient client = gateway.client();
                Http2Client http2 = gateway.http2()) {
            client.send("GET / HTTP/1.1\r\nHost: a:8443\r\n\r\n");
            assertThat(client.readResponse().body()).isEqualTo("/?seen=http%208443%20HTTP%2F1.1");
            client.send("GET / HTTP/1.0\r\nHost: [::1]\r\nConnection: keep-alive\r\n\r\n");
            assertThat(client.readResponse().body()).isEqualTo("/?seen=http%2080%20HTTP%2F1.0");
            http2.get(1, "/");
            assertThat(http2.response(1).body()).endsWith("HTTP%2F2.0");
        }
    }

    @Test
    void aFilterOfTheResponseReadsTheEndpointAndTheNumberOfAttempts() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(
                                new Inbound(
                                        exchange -> exchange.putAt("before", String.valueOf(exchange.getEndpoint()))),
                                new Outbound(exchange -> {
                                    var headers = exchange.getResponse().getHeaders();
                                    headers.putAt("x-before", exchange.getAt("before"));
                                    headers.putAt("x-endpoint", exchange.getEndpoint());
                                    headers.putAt("x-attempts", exchange.getAttempts());
                                })))
                        .start();
                RawClient client = gateway.client()) {
            RawMessage response = client.get("/");
            assertThat(response.values("x-before")).containsExactly("null");
            assertThat(response.values("x-endpoint")).containsExactly("127.0.0.1:" + origin.port());
            assertThat(response.values("x-attempts")).containsExactly("1");
        }
    }
}
