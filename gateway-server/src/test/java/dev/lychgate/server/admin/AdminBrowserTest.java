package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.metrics.Gateways;
import dev.lychgate.testing.RawMessage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protection against pages of other sites, and against injection into responses and into the log. */
class AdminBrowserTest extends AdminAsked {
    // ---- pages of other sites

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: https://evil.example",
                "Origin: null",
                "Origin: http://127.0.0.1:3000",
                "Origin: http://localhost:8081",
                "Origin: http://127.0.0.1:8081\r\nOrigin: http://127.0.0.1:8081",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site",
                "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document",
            })
    void aPageOfAnotherSiteChangesNothing(String fields) throws Exception {
        for (AdminServer server : List.of(start(LOCAL, SHORT), guarded())) {
            RawMessage response = ask(server, post("/reload", "x-lychgate-admin: x", bearer(TOKEN), fields));
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.fields()).noneMatch(field -> field.name().startsWith("access-control"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: http://127.0.0.1:8081",
                "Origin: https://127.0.0.1:8081",
                "Sec-Fetch-Site: same-origin",
                "Sec-Fetch-Site: none",
            })
    void theDashboardMayChangeState(String fields) throws Exception {
        assertThat(ask(start(LOCAL, SHORT), post("/reload", "x-lychgate-admin: x", fields))
                        .status())
                .as("accepted, but no files are followed")
                .isEqualTo(503);
    }

    @Test
    void aPageOfAnotherSiteReadsNothingButMayLinkHere() throws Exception {
        AdminServer server = start(LOCAL, SHORT);

        assertThat(ask(server, get("/version", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"))
                        .status())
                .isEqualTo(403);
        assertThat(ask(server, get("/version", "Origin: https://evil.example")).status())
                .isEqualTo(403);
        assertThat(ask(
                                server,
                                get(
                                        "/version",
                                        "Sec-Fetch-Site: cross-site",
                                        "Sec-Fetch-Mode: navigate",
                                        "Sec-Fetch-Dest: document"))
                        .status())
                .isEqualTo(200);
        RawMessage preflight = ask(
                server,
                "OPTIONS /reload HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n"
                        + "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-lychgate-admin");
        assertThat(preflight.status()).isEqualTo(405);
        assertThat(preflight.value("allow")).hasValue("POST");
        assertThat(preflight.fields()).noneMatch(field -> field.name().startsWith("access-control"));
    }

    @Test
    void aPostNeedsAFieldThatNoFormSends() throws Exception {
        assertThat(ask(start(LOCAL, SHORT), post("/reload")).status()).isEqualTo(403);
        assertThat(ask(start(LOCAL, SHORT), post("/reload", "Authorization: Basic x"))
                        .status())
                .isEqualTo(403);
        assertThat(ask(guarded(), post("/reload", bearer(TOKEN))).status())
                .as("a token is such a field")
                .isEqualTo(503);
    }

    @Test
    void aNameThatResolvesToTheLoopbackIsRejectedEvenWithTheToken() throws Exception {
        AdminServer server = guarded();
        RawMessage response = ask(server, "GET /version HTTP/1.1\r\nHost: rebound.example:8081\r\n" + bearer(TOKEN));
        assertThat(response.status()).isEqualTo(421);
        assertThat(ask(
                                server,
                                "POST /reload HTTP/1.1\r\nHost: rebound.example\r\nOrigin: http://rebound.example\r\n"
                                        + "x-lychgate-admin: x")
                        .status())
                .isEqualTo(421);
    }

    // ---- responses and log

    @Test
    void everyResponseHasProtectiveHeaders() throws Exception {
        AdminServer server = guarded();
        List<RawMessage> answers = List.of(
                ask(server, get("/health")),
                ask(server, get("/version", bearer(TOKEN))),
                ask(server, get("/metrics", bearer(TOKEN))),
                ask(server, get("/openapi.json", bearer(TOKEN))),
                ask(server, get("/routes", bearer(TOKEN))),
                ask(server, get("/no", bearer(TOKEN))),
                ask(server, get("/routes")),
                ask(server, post("/health", bearer(TOKEN))),
                ask(server, "nonsense"));
        assertThat(answers).extracting(RawMessage::status).containsExactly(200, 200, 200, 200, 503, 404, 401, 405, 400);
        for (RawMessage response : answers) {
            assertThat(response.value("content-security-policy"))
                    .hasValue("default-src 'none'; frame-ancestors 'none'");
            assertThat(response.value("x-content-type-options")).hasValue("nosniff");
            assertThat(response.value("cache-control")).hasValue("no-store");
            assertThat(response.value("referrer-policy")).hasValue("no-referrer");
            assertThat(response.value("cross-origin-resource-policy")).hasValue("same-origin");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/filters?phase=inbound&state=disabled&name=a%0d%0aSet-Cookie:%20x=y",
                "/breakers?state=auto&upstream=live%0D%0A%0D%0A<script>",
                "/rollback?generation=1%0aInjected:%201",
                "/upstreams/endpoint?upstream=live&state=disabled&endpoint=%0d%0aX-Injected:%201",
            })
    void noParameterIsInjectedIntoAHeadOrTheLog(String target) throws Exception {
        listen();
        source.generation = Generation.first(Gateways.to(9000), FilterSet.EMPTY, 1);

        RawMessage response = ask(start(LOCAL, SHORT), post(target, "x-lychgate-admin: x"));

        assertThat(response.status()).isIn(400, 404, 503);
        assertThat(response.fields()).extracting(RawMessage.Field::name).doesNotContain("set-cookie", "x-injected");
        assertThat(response.body()).doesNotContain("script").doesNotContainIgnoringCase("injected");
        List<String> audited =
                said().stream().filter(line -> line.startsWith("by=")).toList();
        assertThat(audited).singleElement().asString().contains("\\u000a").doesNotContain("\n", "\r");
    }

    @Test
    void aValueInAnotherDirectionOfWritingTurnsNothingElseOfItsLine() throws Exception {
        listen();
        source.generation = Generation.first(Gateways.to(9000), FilterSet.EMPTY, 1);

        ask(
                start(LOCAL, SHORT),
                post("/breakers?upstream=%d7%90&state=%d7%91%e2%80%8f%cc%88%ee%80%80", "x-lychgate-admin: x"));

        assertThat(said())
                .filteredOn(line -> line.startsWith("by="))
                .singleElement()
                .asString()
                .endsWith(" action=/breakers upstream=\"\\u05d0\" state=\"\\u05d1\\u200f\\u0308\\ue000\" result=400");
    }

    @Test
    void actionsAreAuditedAndReadsAreNot() throws Exception {
        listen();
        source.generation = Generation.first(Gateways.to(9000), FilterSet.EMPTY, 1);
        AdminServer server = guarded();
        ask(server, get("/routes", bearer(TOKEN)));
        String change = "/upstreams/endpoint?upstream=live&endpoint=127.0.0.1:9000&state=draining";
        ask(server, post(change, bearer(TOKEN)));
        ask(server, post(change + "&token=" + TOKEN, bearer(TOKEN)));
        ask(server, post("/upstreams/endpoint?upstream=live&endpoint=127.0.0.1:9000&state=\"off\"", bearer(TOKEN)));

        List<String> audited =
                said().stream().filter(line -> line.startsWith("by=")).toList();
        String expected = "by=\"127\\.0\\.0\\.1:\\d+\" proof=\"token\" action=/upstreams/endpoint upstream=\"live\""
                + " endpoint=\"127\\.0\\.0\\.1:9000\" state=\"draining\" result=";
        assertThat(audited).hasSize(3);
        assertThat(audited.get(0)).matches(expected + "200");
        assertThat(audited.get(1)).as("an unknown parameter").matches(expected + "400");
        assertThat(audited.get(2)).contains(" state=\"\\\"off\\\"\" result=400");
        assertThat(said()).noneMatch(line -> line.contains(TOKEN));
        assertThat(lines.list)
                .filteredOn(event -> event.getFormattedMessage().startsWith("by="))
                .extracting(ILoggingEvent::getLoggerName)
                .containsOnly("lychgate.audit");
    }
}
