package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Traffic;
import dev.lychgate.server.metrics.Gateways;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.upstream.EndpointState;
import dev.lychgate.upstream.EndpointState.AdminState;
import dev.lychgate.upstream.Upstream;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class EndpointActionsTest {
    private static final String TARGET = "/upstreams/endpoint?upstream=live&endpoint=127.0.0.1:9000";

    private final FakeSource source = new FakeSource();
    private final AdminServer server = AdminServer.start(new AdminConfig(new BindAddress("127.0.0.1", 0)), source);

    @AfterEach
    void close() {
        server.close();
    }

    private static Generation generation() {
        return Generation.first(Gateways.to(9000), FilterSet.EMPTY, 1);
    }

    private static EndpointState state(Generation generation) {
        Upstream upstream = generation.upstream("live");
        assertThat(upstream).isNotNull();
        return upstream.state().of(new EndpointAddress("127.0.0.1", 9000));
    }

    private RawMessage post(String target) throws IOException {
        try (RawClient client = RawClient.connect(server.address())) {
            return client.send("POST " + target + " HTTP/1.1\r\nHost: localhost\r\nX-Lychgate-Admin: test\r\n"
                            + "Content-Length: 0\r\n\r\n")
                    .readResponse();
        }
    }

    @ParameterizedTest
    @CsvSource({"draining,DRAINING", "disabled,DISABLED", "enabled,ENABLED"})
    void setsAStateAndReturnsTheEndpoint(String word, AdminState admin) throws Exception {
        Generation generation = generation();
        source.generation = generation;

        RawMessage response = post(TARGET + "&state=" + word);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body())
                .contains("\"upstream\":\"live\"", "\"endpoint\":\"127.0.0.1:9000\"", "\"admin\":\"" + word + "\"");
        assertThat(state(generation).admin()).isEqualTo(admin);
    }

    @Test
    void setsAWeightAndRestoresTheConfiguredOne() throws Exception {
        Generation generation = generation();
        source.generation = generation;

        assertThat(post(TARGET + "&weight=7").body()).contains("\"weight\":7");
        assertThat(state(generation).weight()).isEqualTo(7);
        assertThat(post(TARGET + "&weight=0&state=draining").body()).contains("\"weight\":1", "draining");
        assertThat(state(generation).weight()).isZero();
    }

    @Test
    void theStateSurvivesAReload() throws Exception {
        Generation first = generation();
        source.generation = first;
        post(TARGET + "&state=draining&weight=7");

        Generation next = first.next(Gateways.to(9000), FilterSet.EMPTY, 1);
        Traffic.of(next).takeOver();

        assertThat(state(next).admin()).isEqualTo(AdminState.DRAINING);
        assertThat(state(next).weight()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/upstreams/endpoint?upstream=dead&endpoint=127.0.0.1:9000&state=disabled",
                "/upstreams/endpoint?upstream=live&endpoint=127.0.0.1:9001&state=disabled",
                "/upstreams/endpoint?upstream=live&endpoint=127.0.0.1&weight=2",
            })
    void respondsWith404ToUnknownEndpoints(String target) throws Exception {
        source.generation = generation();

        RawMessage response = post(target);

        assertThat(response.status()).isEqualTo(404);
        assertThat(response.body()).contains("problem:not-found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/upstreams/endpoint",
                "/upstreams/endpoint?upstream=live&state=disabled",
                TARGET,
                TARGET + "&upstream=live&state=disabled",
                TARGET + "&state=off",
                TARGET + "&state=DISABLED",
                TARGET + "&state=disabled&state=enabled",
                TARGET + "&state=disabled&weight=1001",
                TARGET + "&weight=-1",
                TARGET + "&weight=",
                TARGET + "&weight=1.5",
                TARGET + "&weight=99999999999",
            })
    void respondsWith400ToMalformedRequestsAndChangesNothing(String target) throws Exception {
        Generation generation = generation();
        source.generation = generation;

        assertThat(post(target).status()).isEqualTo(400);
        assertThat(state(generation)).isEqualTo(EndpointState.INITIAL);
    }

    @Test
    void rejectsRequestsThatAPageInABrowserCouldSend() throws Exception {
        source.generation = generation();
        try (RawClient client = RawClient.connect(server.address())) {
            client.send("POST " + TARGET + "&state=disabled HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(403);
        }
    }

    @Test
    void respondsWith503WithoutAGeneration() throws Exception {
        assertThat(post(TARGET + "&state=disabled").status()).isEqualTo(503);
    }
}
