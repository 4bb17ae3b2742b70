package dev.lychgate.server.admin;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ConfigException;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to the admin listener and its protection. */
@Tag("slow")
class AdminSecurityTest extends AdminAsked {
    // ---- addresses

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:8081", "[::]:8081", "10.1.2.3:8081", "[2001:db8::1]:8081"})
    void aPublicAddressIsRefusedWithoutAuthentication(String address) {
        BindAddress where = BindAddress.parse(address);

        assertThatThrownBy(() -> new AdminConfig(where))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(
                        "address: " + where + " (expected: a loopback address such as 127.0.0.1:8081, or")
                .hasMessageContaining("at least one of token, token-file, operators and tls.client-ca");
        assertThat(new AdminConfig(where, 64, TOKEN, null, null).warnings())
                .singleElement()
                .asString()
                .contains("without admin.tls");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "127.0.0.2:1", "[::1]:1", "localhost:1", "[::ffff:127.0.0.1]:1"})
    void theLoopbackNeedsNoAuthentication(String address) {
        assertThat(new AdminConfig(BindAddress.parse(address)).warnings()).isEmpty();
    }

    @Test
    void aWeakTokenIsRefusedAndNotShown() {
        assertThatThrownBy(() -> LOCAL.withToken("tooshort"))
                .hasMessage("token: *** (expected: 16 to 256 characters of ASCII without blanks)");
        assertThat(LOCAL.withToken(TOKEN).toString()).doesNotContain(TOKEN);
    }

    @Test
    void theTokenMayBeInAFile(@TempDir Path home) throws Exception {
        Path file = home.resolve("token");
        AdminConfig config = new AdminConfig(LOCAL.address(), 64, null, file.toString(), null);
        assertThatThrownBy(() -> AdminAccess.of(config, null))
                .hasMessageStartingWith("admin.token-file: " + file + ": there is no such file");
        Files.writeString(file, "short\n");
        assertThatThrownBy(() -> AdminAccess.of(config, null))
                .hasMessageStartingWith(
                        "admin.token-file: " + file + " (expected: a file whose first line is 16 to 256")
                .hasMessageNotContaining("short\n");
        Files.writeString(file, TOKEN + "\n# of the night shift\n");

        AdminServer server = start(config, SHORT);
        assertThat(ask(server, get("/version", bearer(TOKEN))).status()).isEqualTo(200);

        Files.writeString(file, "another-horse-battery\n");
        server.use(AdminAccess.of(config, server.access()));
        assertThat(ask(server, get("/version", bearer(TOKEN))).status()).isEqualTo(401);
        assertThat(ask(server, get("/version", bearer("another-horse-battery"))).status())
                .isEqualTo(200);
    }

    // ---- tokens

    @Test
    void onlyTheLivenessPageNeedsNoToken() throws Exception {
        AdminServer server = guarded();

        assertThat(ask(server, get("/health")).status()).isEqualTo(200);
        assertThat(ask(server, get("/ready")).status()).isEqualTo(200);
        for (String path : List.of("/", "/version", "/metrics", "/hystrix.stream", "/openapi.json", "/no/such/page")) {
            RawMessage response = ask(server, get(path));
            assertThat(response.status()).as(path).isEqualTo(401);
            assertThat(response.value("www-authenticate")).hasValue("Bearer realm=\"lychgate\"");
            assertThat(response.value("connection")).hasValue("close");
            assertThat(response.body()).contains("problem:unauthorized");
        }
        assertThat(ask(server, post("/reload", "x-lychgate-admin: x")).status()).isEqualTo(401);
        assertThat(ask(server, get("/version", bearer(TOKEN))).status()).isEqualTo(200);
        assertThat(ask(server, get("/version", "authorization: bearer  " + TOKEN + " "))
                        .status())
                .as("schemes are the same in any case")
                .isEqualTo(200);
        assertThat(server.turnedAway()).isEqualTo(7);
    }

    @Test
    void theTokenIsRequiredFromAnotherAddressOfThisMachineToo() throws Exception {
        AdminServer everywhere = start(new AdminConfig(new BindAddress("0.0.0.0", 0), 64, TOKEN, null, null), SHORT);
        InetSocketAddress other =
                new InetSocketAddress("127.0.0.2", everywhere.address().getPort());
        try (RawClient client = RawClient.connect(other)) {
            client.send("GET /routes HTTP/1.1\r\nHost: gateway.internal:8081\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(401);
        }
        try (RawClient client = RawClient.connect(other)) {
            client.send("GET /version HTTP/1.1\r\nHost: gateway.internal:8081\r\n" + bearer(TOKEN) + "\r\n\r\n");
            assertThat(client.readResponse().status())
                    .as("any Host is accepted beyond the loopback")
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer correct-horse-batterx",
                "Authorization: Bearer correct-horse-battery-",
                "Authorization: Bearer ",
                "Authorization: Bearer",
                "Authorization: correct-horse-battery",
                "Authorization: Basic Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5",
                "Authorization: Bearer correct-horse-battery\r\nAuthorization: Bearer correct-horse-battery",
                "Cookie: token=correct-horse-battery",
                "x-token: correct-horse-battery",
            })
    void aSimilarTokenIsRejected(String fields) throws Exception {
        assertThat(ask(guarded(), get("/version", fields)).status()).isEqualTo(401);
    }

    @Test
    void aTokenInTheUrlIsRejected() throws Exception {
        AdminServer server = guarded();
        assertThat(ask(server, get("/version?token=" + TOKEN)).status()).isEqualTo(401);
        assertThat(ask(server, get("/version?access_token=" + TOKEN + "&authorization=Bearer%20" + TOKEN))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void aWrongTokenIsRejectedWithADelayAndLoggedRarelyAndWithoutTheToken() throws Exception {
        listen();
        AdminServer server = guarded();
        for (int i = 0; i < 3; i++) {
            RawMessage response = ask(server, get("/version", bearer("a-guess-that-is-wrong-" + i)));
            assertThat(response.status()).isEqualTo(401);
            assertThat(response.value("www-authenticate"))
                    .hasValue("Bearer realm=\"lychgate\", error=\"invalid_token\"");
        }
        ask(server, get("/version", bearer(TOKEN)));

        assertThat(said())
                .containsOnlyOnce("admin: request from 127.0.0.1 rejected: wrong token")
                .noneMatch(line -> line.contains("a-guess") || line.contains(TOKEN));
        assertThat(server.turnedAway()).isEqualTo(3);
    }

    @Test
    void guessesAreThrottledPerAddressWithoutEffectOnOthers() throws Exception {
        AdminServer server = start(LOCAL.withToken(TOKEN), LONG);
        for (int i = 0; i < WrongTokens.MOST_OF_AN_ADDRESS; i++) {
            RawClient guess = closing(RawClient.connect(server.address()));
            guess.send(get("/version", bearer("a-guess-that-is-wrong-" + i)) + "\r\n\r\n");
            int guesses = i + 1;
            eventually(() -> assertThat(server.turnedAway()).isEqualTo(guesses));
            guess.expectSilence(Duration.ofMillis(50));
        }

        RawMessage next = ask(server, get("/version", bearer(TOKEN)));
        assertThat(next.status()).as("from there even the right one is refused").isEqualTo(429);
        assertThat(next.value("retry-after")).hasValue("1");
        assertThat(ask(server, get("/health")).status()).isEqualTo(200);

        Socket elsewhere = closing(new Socket());
        elsewhere.bind(new InetSocketAddress("127.0.0.3", 0));
        elsewhere.connect(server.address());
        RawClient operator = closing(RawClient.over(elsewhere));
        assertThat(operator.send(get("/version", bearer(TOKEN)) + "\r\n\r\n")
                        .readResponse()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void unauthenticatedConnectionsAreClosedForAuthenticatedOnes() throws Exception {
        AdminServer server = guarded();
        RawClient operator = closing(RawClient.connect(server.address()));
        assertThat(operator.send(get("/version", bearer(TOKEN)) + "\r\n\r\n")
                        .readResponse()
                        .status())
                .isEqualTo(200);
        RawClient eldest = closing(RawClient.connect(server.address()));
        eldest.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(eldest.readResponse().status()).isEqualTo(200);
        for (int i = 0; i < 2 * LOCAL.connections(); i++) {
            closing(RawClient.connect(server.address()));
        }

        eldest.awaitEnd();
        assertThat(ask(server, get("/version", bearer(TOKEN))).status()).isEqualTo(200);
        assertThat(operator.send(get("/version", bearer(TOKEN)) + "\r\n\r\n")
                        .readResponse()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void dashboardsBlockNeitherProbesNorOperators() throws Exception {
        AdminServer server = guarded();
        List<RawClient> dashboards = new ArrayList<>();
        // Eleven pages, for each of which a browser keeps six connections.
        for (int i = 0; i < 11 * 6; i++) {
            RawClient dashboard = closing(RawClient.connect(server.address()));
            dashboards.add(dashboard);
            assertThat(dashboard
                            .send(get("/version", bearer(TOKEN)) + "\r\n\r\n")
                            .readResponse()
                            .status())
                    .isEqualTo(200);
        }

        RawClient probe = closing(RawClient.connect(server.address()));
        assertThat(probe.send(get("/health") + "\r\n\r\n").readResponse().status())
                .isEqualTo(200);
        assertThat(ask(server, get("/version", bearer(TOKEN))).status()).isEqualTo(200);
        dashboards.get(0).expectClosed();
        assertThat(dashboards
                        .get(65)
                        .send(get("/version", bearer(TOKEN)) + "\r\n\r\n")
                        .readResponse()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void streamsLeaveHalfOfTheConnectionsToOthers() throws Exception {
        AdminServer server = start(LOCAL, SHORT);
        for (int i = 0; i < HystrixStream.MOST; i++) {
            RawClient stream = closing(RawClient.connect(server.address()));
            stream.send(get("/hystrix.stream") + "\r\n\r\n");
            assertThat(stream.readHead().status()).isEqualTo(200);
        }

        RawMessage oneMore = ask(server, get("/hystrix.stream"));
        assertThat(oneMore.status()).isEqualTo(503);
        assertThat(oneMore.body()).contains("the limit of open streams is reached");
        for (int i = 0; i < LOCAL.connections() - HystrixStream.MOST; i++) {
            RawClient other = closing(RawClient.connect(server.address()));
            assertThat(other.send(get("/version") + "\r\n\r\n").readResponse().status())
                    .isEqualTo(200);
        }
    }
}
