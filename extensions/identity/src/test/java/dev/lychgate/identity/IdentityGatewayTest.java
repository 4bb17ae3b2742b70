package dev.lychgate.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import dev.lychgate.Lychgate;
import dev.lychgate.access.AccessSet;
import dev.lychgate.access.AuthenticateSection;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessConfig;
import dev.lychgate.config.AuthenticateConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.PlainValues;
import dev.lychgate.config.Secret;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The authenticators of the extension in a gateway, with an issuer and an authorization server on real sockets. */
@Tag("slow")
class IdentityGatewayTest {
    private volatile String published = "";
    private volatile boolean silent;
    private volatile Duration ahead = Duration.ZERO;
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
        seen.add(request.target() + " " + request.value("x-user").orElse("-"));
        connection.send(Responses.ok("origin"));
    });
    private final ScriptedOrigin issuer = ScriptedOrigin.answeringWhoStays((request, connection) -> {
        if (silent) {
            connection.awaitEnd();
            return;
        }
        String document = published;
        connection.send(document.isEmpty() ? Responses.of(503, "") : Responses.ok(document));
    });
    private final VerifierThreads threads = new VerifierThreads(new IdentitySettings(2, 1000, 1000));

    private final List<AutoCloseable> open = new ArrayList<>(List.of(origin, issuer, threads));

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private void publish(JWK... keys) {
        published = new JWKSet(List.of(keys)).toString();
    }

    private Authenticator jwt(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "issuer", List.of(Issuer.NAME),
                "audience", List.of("api"),
                "jwks", "http://127.0.0.1:" + issuer.port() + "/keys"));
        settings.putAll(more);
        return new JwtAuthenticator(
                JwtSettings.KEYS.read(PlainValues.of(settings)),
                threads,
                new AheadClock(),
                System::nanoTime,
                Documents::get);
    }

    /** The clock of the system, set forward by {@code ahead}. */
    private final class AheadClock extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(ahead);
        }
    }

    private int start(Authenticator... authenticators) throws Exception {
        GatewayConfig config = new ConfigReader(name -> null)
                .read("gateway.yml", """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                access-log: { format: off }
                routes: [{ id: all, upstream: origin }]
                upstreams:
                  origin: { endpoints: ["http://127.0.0.1:%d"] }
                  id: { endpoints: ["http://127.0.0.1:%d"] }
                """.formatted(origin.port(), issuer.port()))
                .config();
        AuthenticateConfig section =
                new AuthenticateConfig(false, List.of(FilterConfig.of("jwt")), Map.of("sub", "x-user"));
        List<AuthenticateSection.Named> named = List.of(authenticators).stream()
                .map(each -> new AuthenticateSection.Named("a", each))
                .toList();
        Lychgate gateway = Lychgate.start(new FilterAssembly(
                config.withPolicies(config.policies().with(new AccessConfig(section, List.of()))),
                FilterSet.EMPTY.with(new AccessSet(
                        new AuthenticateSection(section, named), Map.of(), Map.of(), List.of(), Map.of()))));
        open.add(gateway);
        return gateway.port("main");
    }

    private static RawMessage get(int port, String target, String... fields) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: lychgate.test\r\n");
            for (String field : fields) {
                request.append(field).append("\r\n");
            }
            return client.send(request + "\r\n").readResponse();
        }
    }

    private static RawMessage bearer(int port, String token) throws Exception {
        return get(port, "/", "Authorization: Bearer " + token);
    }

    private static String challenge(RawMessage response) {
        return response.status() + " " + response.value("www-authenticate").orElse("none");
    }

    @Test
    void acceptsTokensByPublishedKeysAndSendsClaims() throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        int port = start(jwt(Map.of()));
        String token = Issuer.token(claims -> {});
        assertThat(bearer(port, token).status()).isEqualTo(200);
        assertThat(get(port, "/", "Authorization: bearer  " + token, "X-User: root")
                        .status())
                .isEqualTo(200);
        assertThat(seen).containsExactly("/ alice", "/ alice");
        assertThat(issuer.requestsSeen()).isEqualTo(1);
        assertThat(challenge(get(port, "/"))).isEqualTo("401 Bearer");
        assertThat(challenge(get(port, "/", "Authorization: Basic YTpi"))).isEqualTo("401 Bearer");
        assertThat(challenge(bearer(port, "x.y.z")))
                .isEqualTo("401 Bearer error=\"invalid_token\", error_description=\"the token is malformed\"");
        assertThat(challenge(bearer(port, Issuer.token(claims -> claims.issuer("https://other.example")))))
                .isEqualTo("401 Bearer error=\"invalid_token\", error_description=\"the issuer is not accepted\"");
        assertThat(challenge(bearer(port, "a".repeat(8_193))))
                .isEqualTo("401 Bearer error=\"invalid_token\", error_description=\"the token is too long\"");
        assertThat(challenge(get(port, "/", "Authorization: Bearer " + token, "Authorization: Bearer " + token)))
                .startsWith("400 Bearer error=\"invalid_request\"");
        assertThat(seen).as("refused requests reach no origin").hasSize(2);
    }

    @Test
    void keysRotateUnderLoadWithoutARefusedToken() throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        int port = start(jwt(Map.of("algorithms", List.of("RS256", "ES256"))));
        assertThat(bearer(port, Issuer.token(claims -> {})).status()).isEqualTo(200);
        ExecutorService clients = Executors.newFixedThreadPool(4);
        try {
            JWK[] keys = {Issuer.RSA.toPublicJWK()};
            for (int rotation = 0; rotation < 2; rotation++) {
                ECKey next = Issuer.ec(Curve.P_256, "ec-" + rotation);
                // An invented key makes the pause between downloads begin just before the rotation.
                ECKey invented = Issuer.ec(Curve.P_256, "invented-" + rotation);
                assertThat(bearer(port, es256(invented, 0)).status()).isEqualTo(401);
                publish(keys[0], next.toPublicJWK());
                List<Future<List<Integer>>> all = new ArrayList<>();
                for (int client = 0; client < 4; client++) {
                    int number = client;
                    all.add(clients.submit(() -> {
                        List<Integer> statuses = new ArrayList<>();
                        for (int i = 0; i < 25; i++) {
                            statuses.add(
                                    bearer(port, es256(next, number * 100 + i)).status());
                        }
                        return statuses;
                    }));
                }
                for (Future<List<Integer>> each : all) {
                    assertThat(each.get()).containsOnly(200);
                }
                keys[0] = next.toPublicJWK();
            }
            assertThat(issuer.requestsSeen()).as("downloads").isBetween(3, 6);
        } finally {
            clients.shutdownNow();
        }
    }

    private static String es256(ECKey key, int number) {
        return Issuer.sign(
                Issuer.header(JWSAlgorithm.ES256, key.getKeyID()),
                Issuer.claims().jwtID("t" + number).build(),
                Issuer.signer(key));
    }

    @Test
    void tokensOfAnIssuerThatDoesNotRespondGet503() throws Exception {
        int port = start(jwt(Map.of()));
        RawMessage refused = bearer(port, Issuer.token(claims -> {}));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body())
                .contains("identity-unavailable")
                .contains("the keys of the issuer are not available");
        assertThat(refused.value("www-authenticate")).isEmpty();
    }

    @Test
    void tokensInOtherPlacesAreAcceptedOnlyIfSettingsSaySo() throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        int strict = start(jwt(Map.of()));
        String token = Issuer.token(claims -> {});
        assertThat(get(strict, "/?access_token=" + token).status()).isEqualTo(401);
        assertThat(get(strict, "/", "Cookie: session=" + token).status()).isEqualTo(401);
        int open =
                start(jwt(Map.of("from", List.of("bearer", "header:x-token", "cookie:session", "query:access_token"))));
        assertThat(get(open, "/", "X-Token: " + token).status()).isEqualTo(200);
        assertThat(get(open, "/", "Cookie: a=b; session=" + token).status()).isEqualTo(200);
        assertThat(get(open, "/?a=1&access_token=" + token + "&b=2").status()).isEqualTo(200);
        assertThat(seen).as("the parameter is removed").last().isEqualTo("/?a=1&b=2 alice");
        assertThat(get(open, "/?access_token=" + token, "X-Token: " + token).status())
                .isEqualTo(400);
        for (String pair : List.of("session=other", "session =other", " session\t= other", "session=" + token)) {
            assertThat(get(open, "/", "Cookie: session=" + token + "; " + pair).status())
                    .as(pair)
                    .isEqualTo(400);
        }
        assertThat(get(open, "/", "Cookie: session =" + token).status()).isEqualTo(200);
        assertThat(get(open, "/", "Cookie: session=\"" + token + "\"; sessions=other")
                        .status())
                .isEqualTo(200);
    }

    /** An origin that trusts the gateway reads the claims of the field, and may read another field or a trailer as the same. */
    @Test
    void onlyTheVerifiedTokenOfAFieldReachesTheOrigin() throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        int port = start(jwt(Map.of("from", List.of("header:x-token"))));
        String token = Issuer.token(claims -> {});
        assertThat(get(port, "/", "X-Token: " + token, "X_Token: forged", "x.token: forged")
                        .status())
                .isEqualTo(200);
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            client.send(
                    "POST / HTTP/1.1\r\nHost: lychgate.test\r\nX-Token: " + token
                            + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Token: forged\r\nX_Token: forged\r\nX-Sum: 1\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(200);
        }
        assertThat(origin.requests()).hasSize(2).allSatisfy(request -> {
            assertThat(request.values("x-token")).containsExactly(token);
            assertThat(request.has("x_token")).isFalse();
            assertThat(request.has("x.token")).isFalse();
        });
        assertThat(origin.requests().get(1).trailers())
                .extracting(trailer -> trailer.name())
                .containsExactly("X-Sum");
    }

    @Test
    void theNextAuthenticatorAssessesTokensOfAnotherIssuer() throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        int port = start(
                jwt(Map.of("issuer", List.of("https://other.example"), "from", List.of("query:token"))),
                jwt(Map.of("from", List.of("query:token"))));
        assertThat(get(port, "/?token=" + Issuer.token(claims -> {})).status()).isEqualTo(200);
        assertThat(seen).containsExactly("/ alice");
    }

    @Test
    void anAcceptedTokenIsRefusedWhenItHasExpired() throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        int port = start(jwt(Map.of("clock-skew", Duration.ZERO)));
        String token = Issuer.token(
                claims -> claims.expirationTime(Date.from(Instant.now().plusSeconds(60))));
        assertThat(bearer(port, token).status()).isEqualTo(200);
        ahead = Duration.ofSeconds(61);
        assertThat(challenge(bearer(port, token)))
                .isEqualTo("401 Bearer error=\"invalid_token\", error_description=\"the token has expired\"");
    }

    @Test
    void encryptedTokensAreDecryptedIfKeysAreConfigured(@TempDir Path home) throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        RSAKey key = Issuer.rsa(2048, "encryption");
        Path file = Files.writeString(home.resolve("private.json"), new JWKSet(key).toString(false));
        JWEObject token = new JWEObject(
                new JWEHeader.Builder(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM)
                        .keyID("encryption")
                        .contentType("JWT")
                        .build(),
                new Payload(Issuer.token(claims -> {})));
        token.encrypt(new RSAEncrypter(key));
        assertThat(bearer(start(jwt(Map.of("decryption-keys", file))), token.serialize())
                        .status())
                .isEqualTo(200);
        assertThat(challenge(bearer(start(jwt(Map.of())), token.serialize())))
                .isEqualTo("401 Bearer error=\"invalid_token\", error_description=\"the token cannot be decrypted\"");
    }

    @Test
    void aServerThatDoesNotRespondInTimeLeadsTo503() throws Exception {
        silent = true;
        int port = start(introspection(Duration.ZERO, Duration.ofMillis(500)));
        assertThat(bearer(port, "opaque").status()).isEqualTo(503);
    }

    private Authenticator introspection(Duration cache) {
        return introspection(cache, Duration.ofSeconds(8));
    }

    private Authenticator introspection(Duration cache, Duration timeout) {
        Map<String, Object> settings = Map.of(
                "timeout",
                timeout,
                "upstream",
                "id",
                "client-id",
                "gate way",
                "client-secret",
                new Secret("s:cret"),
                "audience",
                List.of("api"),
                "cache",
                cache);
        return new IntrospectionAuthenticator(
                IntrospectionSettings.KEYS.read(PlainValues.of(settings)), threads, Clock.systemUTC());
    }

    @Test
    void asksTheAuthorizationServerAboutTokensAndRemembersItsResponse() throws Exception {
        published = "{\"active\":true,\"sub\":\"bob\",\"aud\":\"api\",\"iss\":\"https://id.example.com\"}";
        int port = start(introspection(Duration.ofSeconds(30)));
        assertThat(bearer(port, "opaque").status()).isEqualTo(200);
        Eventually.eventually(() -> {
            int before = issuer.requestsSeen();
            assertThat(bearer(port, "opaque").status()).isEqualTo(200);
            assertThat(issuer.requestsSeen()).as("remembered").isEqualTo(before);
        });
        assertThat(seen).contains("/ bob");
        RawMessage question = issuer.requests().get(0);
        assertThat(question.startLine()).isEqualTo("POST /introspect HTTP/1.1");
        assertThat(question.value("authorization"))
                .contains("Basic "
                        + Base64.getEncoder().encodeToString("gate+way:s%3Acret".getBytes(StandardCharsets.US_ASCII)));
        assertThat(question.body()).isEqualTo("token=opaque&token_type_hint=access_token");

        published = "{\"active\":false}";
        assertThat(challenge(bearer(port, "inactive")))
                .isEqualTo("401 Bearer error=\"invalid_token\", error_description=\"the token is not active\"");
        published = "{\"active\":true,\"aud\":[\"other\"]}";
        assertThat(challenge(bearer(port, "other")))
                .isEqualTo("401 Bearer error=\"invalid_token\", error_description=\"the audience is not accepted\"");
        published = "{\"active\":true,\"aud\":\"api\",\"exp\":1}";
        assertThat(challenge(bearer(port, "old")))
                .isEqualTo("401 Bearer error=\"invalid_token\", error_description=\"the token has expired\"");
    }

    @Test
    void tokensThatNoServerAssessesGet503() throws Exception {
        int port = start(introspection(Duration.ZERO));
        assertThat(bearer(port, "opaque").status()).isEqualTo(503);
        for (String wrong : List.of("{}", "[]", "{\"active\":\"true\"}", "<html>")) {
            published = wrong;
            assertThat(bearer(port, "opaque").status()).as(wrong).isEqualTo(503);
        }
        assertThat(bearer(port, "o\u00e4").status()).as("malformed").isEqualTo(401);
    }

    @Test
    void opaqueTokensReachTheIntrospectionAfterJwt() throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        int port = start(jwt(Map.of()), introspection(Duration.ofSeconds(30)));
        assertThat(bearer(port, Issuer.token(claims -> {})).status()).isEqualTo(200);
        published = "{\"active\":true,\"sub\":\"bob\",\"aud\":\"api\"}";
        assertThat(bearer(port, "opaque").status()).isEqualTo(200);
        assertThat(seen).containsExactly("/ alice", "/ bob");
    }
}
