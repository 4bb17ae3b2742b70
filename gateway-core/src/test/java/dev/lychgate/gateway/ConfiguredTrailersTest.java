package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ClientAuth;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.Propagation;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TracingConfig;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage.Field;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trailers with configured names, sent by clients. */
class ConfiguredTrailersTest {
    private static final Certificates CA = Certificates.authority("Test Authority");

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
    }

    private static void assertOnlyTheSumPasses(GatewayConfig config, ScriptedOrigin origin, String name)
            throws Exception {
        try (Gateway gateway = Gateway.start(config);
                RawClient client = RawClient.connect(gateway.address("plain"))) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + name
                            + ": forged\r\nX-Sum: 1\r\n\r\n")
                    .readResponse();
            assertThat(origin.awaitRequests(1).get(0).trailers())
                    .extracting(Field::name)
                    .containsExactly("X-Sum");
        }
    }

    private static GatewayConfig withListeners(GatewayConfig config, ListenerConfig... listeners) {
        return new GatewayConfig(
                1,
                config.transport(),
                config.drain(),
                List.of(listeners),
                config.routes(),
                config.upstreams(),
                null,
                config.accessLog());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Client-Cert", "client_cert", "Client-Cert-Chain", "CLIENT_Cert-Chain"})
    void anIdentityIsRemovedOnEveryListener(String name, @TempDir Path directory) throws Exception {
        TlsConfig tls = TlsConfig.of(Certificates.pem(directory, "site", CA.issue("lychgate.test")))
                .withClients(ClientAuth.OPTIONAL, CA.writeCa(directory, "ca.pem"), "Client-Cert");
        try (ScriptedOrigin origin = origin()) {
            GatewayConfig config = Setup.to(origin.address()).tls(tls).config();
            ListenerConfig secure = config.listeners().get(0);
            ListenerConfig plain = ListenerConfig.of("plain", secure.address());
            assertOnlyTheSumPasses(withListeners(config, secure, plain), origin, name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"traceparent", "tracestate", "b3", "X-B3-TraceId", "x_b3_sampled"})
    void aTraceIsRemovedWhereTracingIsConfigured(String name) throws Exception {
        TracingConfig tracing =
                new TracingConfig(new SampleRate(1), TracingConfig.Accept.ALL, List.of(Propagation.W3C), "test", null);
        try (ScriptedOrigin origin = origin()) {
            assertOnlyTheSumPasses(plain(origin).withTracing(tracing), origin, name);
        }
    }

    @Test
    void aTracePassesWhereTracingIsNotConfigured() throws Exception {
        try (ScriptedOrigin origin = origin();
                Gateway gateway = Gateway.start(plain(origin));
                RawClient client = RawClient.connect(gateway.address("plain"))) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nb3: 0\r\n\r\n")
                    .readResponse();
            assertThat(origin.awaitRequests(1).get(0).trailers())
                    .extracting(Field::name)
                    .containsExactly("b3");
        }
    }

    private static GatewayConfig plain(ScriptedOrigin origin) {
        GatewayConfig config = Setup.to(origin.address()).config();
        return withListeners(
                config, ListenerConfig.of("plain", config.listeners().get(0).address()));
    }
}
