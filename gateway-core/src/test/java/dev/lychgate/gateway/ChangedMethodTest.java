package dev.lychgate.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filters that send the origin another method than the client's: the client's method decides whether the response has a body.
 * Otherwise one side would read body bytes as a message.
 */
class ChangedMethodTest {
    /** The path selects the treatment of the request, and the method for the origin. */
    private static final class Asks implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            String[] steps = exchange.getRequest().getPath().split("/", -1);
            exchange.getRequest().setMethod(steps[2]);
            return switch (steps[1]) {
                case "answered" -> exchange.respond(200, "filter");
                case "refused" -> exchange.fail(ErrorKind.NO_ENDPOINT, "nobody");
                case "redirected" -> exchange.redirect(302, "/there");
                default -> exchange.proceed();
            };
        }
    }

    private static final class Replaces implements OutboundFilter, SyncFilter {
        @Override
        public boolean applies(FilterExchange exchange) {
            return exchange.getRequest().getPath().startsWith("/replaced/");
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.getResponse().setText("another");
            return exchange.proceed();
        }
    }

    /** Responds to a HEAD correctly, and to other methods with a body. */
    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering((r, c) -> {
            String response = r.target().startsWith("/chunked/") ? Responses.chunked("origin") : Responses.ok("origin");
            c.send(r.method().equals("HEAD") ? response.substring(0, response.indexOf("\r\n\r\n") + 4) : response);
        });
    }

    private static Running gateway(ScriptedOrigin origin) {
        return Setup.to(origin.address())
                .route("local", "/local/**", new RouteAction.Respond(200, Map.of(), "route"))
                .route("moved", "/moved/**", new RouteAction.Redirect(301, "/elsewhere"))
                .route("all", "/**", new RouteAction.Proxy("origin"))
                .filters(FilterSet.of(new Asks(), new Replaces()))
                .start();
    }

    private static String request(String method, String target) {
        return method + " " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"origin", "chunked", "replaced", "answered", "refused", "redirected", "local", "moved"})
    void aHeadGetsNoByteBehindItsHeadAndThePipelineStaysInStep(String how) throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = gateway(origin);
                RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                client.send(request("HEAD", "/" + how + "/GET") + request("GET", "/local/GET"));
                assertThat(client.readResponseTo("HEAD").body()).isEmpty();
                assertThat(client.readResponse().body()).isEqualTo("route");
                assertThat(gateway.nextOutcome().responseBytes()).isZero();
                assertThat(gateway.nextOutcome().responseBytes()).isEqualTo(5);
            }
            assertThat(origin.connectionsAccepted()).isLessThanOrEqualTo(how.equals("replaced") ? 3 : 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"origin", "chunked", "replaced", "answered", "refused", "redirected", "local", "moved"})
    void aGetGetsAsMuchAsItIsPromisedAndThePipelineStaysInStep(String how) throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = gateway(origin);
                RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                client.send(request("GET", "/" + how + "/HEAD") + request("GET", "/local/GET"));
                RawMessage response = client.readResponse();
                assertThat(response.value("content-length"))
                        .hasValue("" + response.body().length());
                switch (how) {
                    case "origin", "chunked" -> assertThat(response.body()).isEmpty();
                    case "replaced" -> assertThat(response.body()).isEqualTo("another");
                    case "answered" -> assertThat(response.body()).isEqualTo("filter");
                    case "local" -> assertThat(response.body()).isEqualTo("route");
                    default -> assertThat(response.status()).isIn(301, 302, 503);
                }
                assertThat(client.readResponse().body()).isEqualTo("route");
            }
        }
    }

    @Test
    void aHeadResponseAnnouncesTheLengthOfTheOriginsBody() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = gateway(origin);
                RawClient client = gateway.client()) {
            client.send(request("HEAD", "/origin/GET"));
            assertThat(client.readResponseTo("HEAD").values("content-length")).containsExactly("6");
            client.send(request("HEAD", "/chunked/GET"));
            RawMessage chunked = client.readResponseTo("HEAD");
            assertThat(chunked.has("content-length") || chunked.has("transfer-encoding"))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"origin", "chunked", "answered", "local"})
    void anOldClientIsAnsweredByItsOwnMethodToo(String how) throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = gateway(origin)) {
            try (RawClient client = gateway.client()) {
                client.send("HEAD /" + how + "/GET HTTP/1.0\r\n\r\n");
                assertThat(new String(client.readUntilClose(), ISO_8859_1)).endsWith("\r\n\r\n");
            }
            try (RawClient client = gateway.client()) {
                client.send("GET /" + how + "/HEAD HTTP/1.0\r\n\r\n");
                RawMessage response = client.readResponse();
                assertThat(response.value("content-length"))
                        .hasValue("" + response.body().length());
                client.expectClosed();
            }
        }
    }
}
