package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.http.Json;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RequestScript;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The filter for Open Policy Agent on the page about authorization, with a server that has the part of OPA's HTTP API that it uses. */
@Tag("slow")
class DocumentedAuthorizationTest {
    private static final Path PAGE = Path.of("../docs/authorization.md");

    @TempDir
    Path home = Path.of("");

    /** Responds as OPA does for {@code allow if { input.method == "GET"; input.path == ["orders", "7"] }} without a default. */
    private static final RequestScript OPA = (request, connection) -> {
        assertThat(request.method() + " " + request.target()).isEqualTo("POST /v1/data/gateway/allow");
        Map<?, ?> document =
                (Map<?, ?>) Objects.requireNonNull(Json.read(request.body().getBytes(StandardCharsets.ISO_8859_1)));
        Map<?, ?> input = (Map<?, ?>) Objects.requireNonNull(document.get("input"));
        assertThat(input.keySet()).isEqualTo(java.util.Set.of("method", "path", "subject", "claims"));
        boolean allowed =
                "GET".equals(input.get("method")) && List.of("orders", "7").equals(input.get("path"));
        connection.send(Responses.of(200, allowed ? "{\"result\":true}" : "{}", "Content-Type: application/json"));
    };

    /** @param timeout replaces the timeout of the page, which is too short for a machine that pauses */
    private FileGateway<Lychgate> start(int opa, String timeout) throws Exception {
        Matcher filter = Pattern.compile("```groovy\\n// (\\S+)\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE));
        assertThat(filter.find()).isTrue();
        Path file = home.resolve("filters").resolve(filter.group(1));
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        String call = ".timeout('300ms')";
        assertThat(filter.group(2)).contains(call);
        Files.writeString(file, filter.group(2).replace(call, ".timeout('" + timeout + "')"));
        return FileGateway.start(
                Files.writeString(home.resolve("gateway.yml"), """
                    listeners: [{ name: main, address: "127.0.0.1:0" }]
                    filters: { directory: filters }
                    routes: [{ id: all, respond: { status: 204 } }]
                    upstreams: { opa: { endpoints: ["http://127.0.0.1:%d"] } }
                    access-log: { format: off }
                    """.formatted(opa)), name -> null, Lychgate::start);
    }

    private static RawMessage send(FileGateway<Lychgate> gateway, String requestLine) throws Exception {
        int port = gateway.gateway().port("main");
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.send(requestLine + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                    .readResponse();
        }
    }

    private static int status(ScriptedOrigin opa, DocumentedAuthorizationTest test, String timeout, String requestLine)
            throws Exception {
        FileGateway<Lychgate> gateway = test.start(opa.port(), timeout);
        try {
            return send(gateway, requestLine).status();
        } finally {
            gateway.gateway().close();
            gateway.close();
        }
    }

    @Test
    void theFilterAdmitsWhatThePolicyAllows() throws Exception {
        try (ScriptedOrigin opa = ScriptedOrigin.answering(OPA)) {
            FileGateway<Lychgate> gateway = start(opa.port(), "30s");
            try {
                assertThat(send(gateway, "GET /orders/7").status()).isEqualTo(204);
                assertThat(send(gateway, "POST /orders/7").status()).isEqualTo(403);
                assertThat(send(gateway, "GET /orders/8").status()).isEqualTo(403);
            } finally {
                gateway.gateway().close();
                gateway.close();
            }
        }
    }

    @Test
    void theFilterDeniesIfOpaFails() throws Exception {
        try (ScriptedOrigin opa =
                ScriptedOrigin.answering((request, c) -> c.send(Responses.of(500, "{\"result\":true}")))) {
            assertThat(status(opa, this, "30s", "GET /orders/7")).isEqualTo(403);
        }
        try (ScriptedOrigin opa = ScriptedOrigin.start().onConnection(connection -> {
            connection.readHead();
            connection.stall();
        })) {
            assertThat(status(opa, this, "300ms", "GET /orders/7")).isEqualTo(504);
        }
    }
}
