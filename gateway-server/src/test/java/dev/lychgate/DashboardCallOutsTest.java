package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The call-outs of one exchange in the time line of the dashboard; draws the picture of docs/call-outs.md. */
@Tag("slow")
class DashboardCallOutsTest extends DashboardInBrowser {
    private static final String BARS = """
            [...document.querySelectorAll('#story tbody tr')]
                .filter(row => row.querySelector('svg.span.call'))
                .map(row => {
                    const bar = row.querySelector('rect.time');
                    return {
                        name: row.cells[0].innerText,
                        result: row.cells[4].innerText,
                        from: Number(bar.getAttribute('x')),
                        to: Number(bar.getAttribute('x')) + Number(bar.getAttribute('width')),
                        pixels: bar.getBoundingClientRect().width,
                    };
                })""";

    @Test
    void showsParallelCallOutsAsBarsOfTheTimeLine() throws Exception {
        BrowserPage shown = open().size(1280, 860);
        try (ScriptedOrigin users = ScriptedOrigin.answering((request, connection) -> {
            // An exchange of more than 5 ms is recorded, and this long a call is a wide bar even after a slow start.
            Thread.sleep(250);
            connection.send(Responses.ok("gold"));
        })) {
            Path file = home.resolve("gateway.yml");
            Files.writeString(
                    file,
                    Files.readString(file)
                                    .replace(
                                            "upstreams:\n",
                                            "upstreams:\n  users: { endpoints: [\"http://127.0.0.1:" + users.port()
                                                    + "\"] }\n")
                            + "recorder: { slow: 5ms }\n");
            shown.awaitText("header", "generation 2");
            Path inbound = Files.createDirectories(home.resolve("filters/inbound"));
            Files.writeString(inbound.resolve("offers.groovy"), """
                    applies { it.request.path == '/offers' }
                    timeout '60s'
                    async { exchange ->
                        def plan = exchange.call('users').get('/plan').timeout('30s').send()
                        def flags = exchange.call('users').get('/flags').timeout('30s').send()
                        plan.thenCombine(flags) { p, f -> exchange.respond(200, p.text + ' ' + f.text) }
                    }
                    """);
            // Not asked before: a slow request without the filter would be recorded, too.
            shown.awaitText("header", "generation 3");
            assertThat(ask("/offers")).isEqualTo("gold gold");
            shown.view("Exchanges").awaitText("main", "GET /offers").press("GET /offers", "GET /offers");
            shown.awaitText("#story", "GET /offers", "users /plan", "users /flags");

            JsonNode bars = shown.evaluate(BARS);
            assertThat(bars).hasSize(2);
            assertThat(bars.findValuesAsText("name")).containsExactly("call users /plan", "call users /flags");
            assertThat(bars.findValuesAsText("result")).containsOnly("GET: status 200");
            JsonNode plan = bars.get(0);
            JsonNode flags = bars.get(1);
            assertThat(plan.path("pixels").asDouble()).isGreaterThan(10);
            assertThat(flags.path("pixels").asDouble()).isGreaterThan(10);
            assertThat(flags.path("from").asDouble())
                    .as("parallel")
                    .isLessThan(plan.path("to").asDouble());
            hasAskedForNothingElseAndNothingWentWrong(shown);
            if (System.getProperty("dashboard.pictures") != null) {
                new Pictures("dashboard").light(shown, "calls");
            }
        }
    }

    private String ask(String target) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway().port("main")))) {
            return client.get(target).body();
        }
    }
}
