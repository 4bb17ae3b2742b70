package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that watches its files, and its admin listener, which requires a token. */
abstract class AdministeredGateway {
    static final ObjectMapper JSON = new ObjectMapper();
    static final String TOKEN = "correct-horse-battery";

    @TempDir
    Path home = Path.of("");

    ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("origin")));
    FileGateway<Lychgate> files;

    @Nullable
    OpenApiDocument api;

    @BeforeEach
    void start() throws Exception {
        Certificates.pem(home, "site", Certificates.authority("Test").issue("lychgate.test"));
        configure("/api/**");
        filter("stamp", "def secret = 'swordfish'\nfilter { it.response.headers['x-stamp'] = '1' }");
        filter("guard", "failClosed()\nfilter { it.response.headers['x-guard'] = 'yes' }");
        files = FileGateway.start(
                home.resolve("gateway.yml"), name -> name.equals("ADMIN") ? TOKEN : null, Lychgate::start);
    }

    @AfterEach
    void end() {
        files.gateway().close();
        files.close();
        origin.close();
    }

    void configure(String path) throws Exception {
        Files.writeString(home.resolve("gateway.yml"), """
            listeners:
              - { name: main, address: "127.0.0.1:0" }
              - { name: secure, address: "127.0.0.1:0", tls: { certificates: [{ chain: site.pem, key: site.key }] } }
            admin: { address: "127.0.0.1:0", token: "${ADMIN}" }
            filters:
              directory: filters
              global: [{ set-request-header: { name: authorization, value: "Basic c3dvcmRmaXNo" } }]
              trace: { secret: "swordfish-swordfish" }
            routes:
              - { id: beta, match: { path: "%s", headers: { x-beta: "yes" } }, respond: { status: 204 } }
              - { id: api, match: { path: "%s" }, upstream: token-service }
            upstreams:
              token-service:
                endpoints: ["http://localhost:%d"]
                persistence: { cookie: L, secret: "swordfish-swordfish" }
                breaker: { minimum: 5 }
                bulkhead: { concurrent: 10 }
                limit: {}
            access-log: { format: off }
            history: {}
            faults: { enabled: true }
            """.formatted(path, path, origin.port()));
    }

    void filter(String name, String text) throws Exception {
        Path file = home.resolve("filters/outbound/" + name + ".groovy");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    /** Returns the response after validation against the OpenAPI document. */
    RawMessage ask(String method, String target) throws Exception {
        RawMessage response = send(method, target);
        if (api == null) {
            api = new OpenApiDocument(JSON.readTree(send("GET", "/openapi.json").body()));
        }
        api.hold(method, target, response);
        return response;
    }

    private RawMessage send(String method, String target) throws Exception {
        InetSocketAddress admin = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files.gateway().adminPort());
        try (RawClient client = RawClient.connect(admin)) {
            return client.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + TOKEN
                            + "\r\nContent-Length: 0\r\n\r\n")
                    .readResponse();
        }
    }

    JsonNode get(String target) throws Exception {
        RawMessage response = ask("GET", target);
        assertThat(response.status()).as(target + " " + response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    JsonNode post(String target) throws Exception {
        RawMessage response = ask("POST", target);
        assertThat(response.status()).as(target + " " + response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    RawMessage client(String target) throws Exception {
        InetSocketAddress main = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files.gateway().port("main"));
        try (RawClient client = RawClient.connect(main)) {
            return client.get(target);
        }
    }

    /**
     * Makes a request fail, and waits until it is recorded.
     *
     * @return its record
     */
    JsonNode failed() throws Exception {
        post("/breakers?upstream=token-service&state=force-open");
        assertThat(client("/api/fails").status()).isEqualTo(503);
        post("/breakers?upstream=token-service&state=auto");
        eventually(() ->
                assertThat(get("/exchanges?reason=failed").path("exchanges")).isNotEmpty());
        return get("/exchanges?reason=failed&limit=1").at("/exchanges/0");
    }
}
