package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lychgate.server.metrics.PrometheusText;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Actions of operators on a running gateway. */
@Tag("slow")
class AdminActionsTest extends AdministeredGateway {
    // ---- actions

    @Test
    void aLoggerHasAnotherLevelForAWhile() throws Exception {
        JsonNode changed =
                post("/log?logger=dev.lychgate.chatty&level=debug&for=10m").at("/loggers/0");
        assertThat(changed.path("level").asText()).isEqualTo("debug");
        assertThat(changed.path("until").asText()).isNotEmpty();
        assertThat(get("/log").path("loggers"))
                .extracting(logger -> logger.path("logger").asText())
                .contains("root", "dev.lychgate.chatty");
        assertThat(post("/log?logger=dev.lychgate.chatty&level=inherit")
                        .at("/loggers/0/level")
                        .isMissingNode())
                .isTrue();
        assertThat(get("/log?logger=dev.lychgate.chatty")
                        .at("/loggers/0/effective")
                        .asText())
                .isEqualTo("warn");
        for (String wrong :
                List.of("level=loud", "level=debug&for=10", "level=debug&for=25h", "level=inherit&for=1m")) {
            assertThat(ask("POST", "/log?logger=dev.lychgate.chatty&" + wrong).status())
                    .as(wrong)
                    .isEqualTo(400);
        }
        assertThat(ask("POST", "/log?logger=a%0ab&level=debug").status()).isEqualTo(400);
    }

    @Test
    void aForcedOpenCircuitStaysOpenOverReloadsUntilItIsReset() throws Exception {
        JsonNode held = post("/breakers?upstream=token-service&state=force-open");
        assertThat(held.path("position").asText()).isEqualTo("open");
        assertThat(held.path("state").asText()).isEqualTo("force-open");
        assertThat(client("/api/x").status()).isEqualTo(503);

        configure("/**");
        post("/reload");

        assertThat(client("/api/x").status()).isEqualTo(503);
        assertThat(get("/breakers").at("/breakers/0/state").asText()).isEqualTo("force-open");
        assertThat(get("/upstreams")
                        .at("/upstreams/0/protection/breakers/0/state")
                        .asText())
                .isEqualTo("force-open");
        PrometheusText metrics = PrometheusText.read(ask("GET", "/metrics").body());
        assertThat(metrics.value(
                        "lychgate_breaker_held", "upstream", "token-service", "endpoint", "-", "position", "open"))
                .isEqualTo(1);

        post("/breakers?upstream=token-service&state=auto");
        assertThat(client("/api/x").status()).isEqualTo(200);
        assertThat(ask("POST", "/breakers?upstream=token-service&state=open").status())
                .isEqualTo(400);
        assertThat(ask("POST", "/breakers?upstream=token-service&endpoint=a:1&state=auto")
                        .status())
                .isEqualTo(404);
        assertThat(ask("POST", "/breakers?upstream=none&state=auto").status()).isEqualTo(404);
    }

    @Test
    void aDisabledFilterStaysDisabledOverReloadsUntilItIsEnabled() throws Exception {
        assertThat(client("/api/x").value("x-stamp")).hasValue("1");

        JsonNode disabled = post("/filters?phase=outbound&name=stamp&state=disabled");
        assertThat(disabled.at("/filters/0/disabled").asBoolean()).isTrue();
        assertThat(client("/api/x").value("x-stamp")).isEmpty();
        filter("stamp", "filter { it.response.headers['x-stamp'] = '2' }");
        post("/reload");
        assertThat(client("/api/x").value("x-stamp")).isEmpty();
        assertThat(get("/explain?url=/api/x").toString()).contains("disabled by an operator");
        PrometheusText metrics = PrometheusText.read(ask("GET", "/metrics").body());
        assertThat(metrics.value("lychgate_filter_disabled", "phase", "outbound", "filter", "stamp"))
                .isEqualTo(1);

        post("/filters?phase=outbound&name=stamp&state=enabled");
        assertThat(client("/api/x").value("x-stamp")).hasValue("2");
    }

    @Test
    void aFilterIsDisabledAndEnabledOnOneRoute() throws Exception {
        String stamp = "/filters?phase=outbound&name=stamp&state=";
        JsonNode disabled = post(stamp + "disabled&route=api");
        assertThat(disabled.at("/filters/0/disabled").asBoolean()).isFalse();
        assertThat(disabled.at("/filters/0/disabled_on/0").asText()).isEqualTo("api");
        assertThat(client("/api/x").value("x-stamp")).isEmpty();
        assertThat(beta().value("x-stamp")).hasValue("1");
        assertThat(get("/explain?url=/api/x").toString()).contains("disabled by an operator");

        filter("stamp", "filter { it.response.headers['x-stamp'] = '2' }");
        post("/reload");
        assertThat(client("/api/x").value("x-stamp")).as("after a reload").isEmpty();

        post(stamp + "disabled");
        assertThat(beta().value("x-stamp")).isEmpty();
        JsonNode enabled = post(stamp + "enabled&route=beta");
        assertThat(enabled.at("/filters/0/enabled_on/0").asText()).isEqualTo("beta");
        assertThat(beta().value("x-stamp")).hasValue("2");
        assertThat(client("/api/x").value("x-stamp")).isEmpty();

        JsonNode all = post(stamp + "enabled");
        assertThat(all.at("/filters/0").has("enabled_on")).isFalse();
        assertThat(client("/api/x").value("x-stamp")).hasValue("2");
        assertThat(ask("POST", stamp + "disabled&route=none").status()).isEqualTo(404);
        String field = "/filters?phase=inbound&name=set-request-header%20authorization&state=disabled&force=true";
        assertThat(ask("POST", field + "&route=api").body()).contains("before the gateway selects a route");
    }

    private RawMessage beta() throws Exception {
        InetSocketAddress main = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files.gateway().port("main"));
        try (RawClient client = RawClient.connect(main)) {
            return client.send("GET /api/x HTTP/1.1\r\nHost: a\r\nx-beta: yes\r\n\r\n")
                    .readResponse();
        }
    }

    @Test
    void aFilterThatFailsClosedIsDisabledOnlyByForce() throws Exception {
        RawMessage refused = ask("POST", "/filters?phase=outbound&name=guard&state=disabled");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body()).contains("force=true");
        assertThat(client("/api/x").value("x-guard")).hasValue("yes");

        post("/filters?phase=outbound&name=guard&state=disabled&force=true");
        assertThat(client("/api/x").status()).isEqualTo(200);
        assertThat(client("/api/x").value("x-guard")).isEmpty();
    }

    @Test
    void aDisabledFilterThatStartsToFailClosedRunsAgain() throws Exception {
        post("/filters?phase=outbound&name=stamp&state=disabled");
        filter("stamp", "failClosed()\nfilter { it.response.headers['x-stamp'] = '2' }");
        post("/reload");

        assertThat(client("/api/x").value("x-stamp")).hasValue("2");
    }

    @Test
    void theGatewayBecomesNotReadyAndReady() throws Exception {
        post("/drain?ready=false");
        assertThat(ask("GET", "/ready").status()).isEqualTo(503);
        assertThat(client("/api/x").status()).as("requests are served").isEqualTo(200);
        post("/drain?ready=true");
        assertThat(ask("GET", "/ready").status()).isEqualTo(200);
        for (String unclear : List.of("", "?ready=maybe", "?exit=false", "?ready=false&exit=true")) {
            assertThat(ask("POST", "/drain" + unclear).status()).as(unclear).isEqualTo(400);
        }
    }

    @Test
    void theGatewayDrainsForGood() throws Exception {
        Gate ended = new Gate();
        files.gateway().onDrain(() -> {
            files.gateway().drain(Duration.ofSeconds(10));
            ended.open();
        });

        // The document is read with the first response, because the last one may end the listener.
        assertThat(get("/ready").path("status").asText()).isEqualTo("ready");
        assertThat(post("/drain?exit=true").path("status").asText()).isEqualTo("draining");

        ended.await(Duration.ofSeconds(60));
    }
}
