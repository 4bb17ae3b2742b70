package dev.lychgate.oidc;

import static dev.lychgate.oidc.TestBrowser.location;
import static dev.lychgate.oidc.TestBrowser.visit;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jwt.SignedJWT;
import dev.lychgate.config.PlainValues;
import dev.lychgate.config.Secret;
import dev.lychgate.testing.RawMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins through a gateway with real sockets. */
@Tag("slow")
class LoginTest extends WithProvider {
    @TempDir
    Path home = Path.of("");

    LoginTest() {
        super(Map.of());
    }

    @Test
    void logsInReturnsToThePageAndPassesTheIdentityOn() throws Exception {
        RawMessage redirect = browser.open("/orders?id=1&x=%2F");
        assertThat(redirect.status()).isEqualTo(302);
        assertThat(redirect.values("cache-control")).containsExactly("no-store");
        Map<String, String> asked = query(location(redirect));
        assertThat(location(redirect)).startsWith(provider.issuer() + "/authorize?");
        assertThat(asked)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", "web")
                .containsEntry("scope", "openid")
                .containsEntry("redirect_uri", APP + "/oidc/callback")
                .containsEntry("code_challenge_method", "S256");
        assertThat(asked.get("state")).hasSize(43).isNotEqualTo(asked.get("nonce"));

        RawMessage back = browser.open(visit(location(redirect)));
        assertThat(back.status()).as(back.body()).isEqualTo(303);
        assertThat(location(back)).isEqualTo(APP + "/orders?id=1&x=%2F");
        assertThat(back.values("set-cookie"))
                .allMatch(field -> field.startsWith("__Host-oidc-")
                        && field.contains("; Path=/")
                        && field.contains("; HttpOnly; SameSite=Lax; Secure"));

        browser.cookies.put("theme", "dark");
        RawMessage page = browser.open(location(back));
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.value("x-user")).contains("alice");
        assertThat(page.value("x-groups")).contains("[staff, admins]");
        assertThat(page.body())
                .as("the origin gets no cookie of the session")
                .isEqualTo("/orders?id=1&x=%2F [theme=dark]");
        assertThat(browser.fetch("/api").value("x-user")).contains("alice");
        assertThat(provider.count("/keys")).isEqualTo(1);
        assertThat(provider.count("/.well-known/openid-configuration")).isEqualTo(1);
    }

    @Test
    void redirectsNavigationsOnly() throws Exception {
        assertThat(browser.fetch("/api").status()).isEqualTo(401);
        for (String method : List.of("POST", "PUT", "DELETE", "HEAD", "OPTIONS")) {
            assertThat(browser.send(method, "/", Map.of("Sec-Fetch-Mode", "navigate", "Accept", "text/html"), "")
                            .status())
                    .as(method)
                    .isEqualTo(401);
        }
        Map<String, String> frame = Map.of("Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe");
        assertThat(browser.send("GET", "/", frame, "").status()).isEqualTo(401);
        Map<String, String> early = Map.of("Sec-Fetch-Mode", "navigate", "Sec-Purpose", "prefetch");
        assertThat(browser.send("GET", "/", early, "").status()).isEqualTo(401);
        assertThat(browser.send("GET", "/", Map.of("Accept", "application/json"), "")
                        .status())
                .isEqualTo(401);
        assertThat(browser.send("GET", "/", Map.of(), "").status()).isEqualTo(401);
        assertThat(browser.send("GET", "/", Map.of("Accept", "application/xhtml+xml, text/html;q=0.9"), "")
                        .status())
                .as("an old browser")
                .isEqualTo(302);
        assertThat(browser.cookies).as("only the last one has begun a login").hasSize(1);
    }

    @Test
    void beginsALoginOnlyAtItsPathIfNavigationsAreNotRedirected() throws Exception {
        try (TestGateway quiet = TestGateway.start(extension, client(Map.of("redirect", false)))) {
            TestBrowser visitor = quiet.browser();
            assertThat(visitor.open("/").status()).isEqualTo(401);
            RawMessage redirect = visitor.open("/oidc/login?return=/orders%3Fid%3D1");
            assertThat(redirect.status()).isEqualTo(302);
            assertThat(location(visitor.open(visit(location(redirect))))).isEqualTo(APP + "/orders?id=1");
            assertThat(location(visitor.open("/oidc/login?return=/other")))
                    .as("with a session")
                    .isEqualTo(APP + "/other");
            assertThat(visitor.fetch("/oidc/login").status()).isEqualTo(400);
        }
    }

    @Test
    void sendsTheSecretTheVerifierAndTheParametersOfTheConfiguration() throws Exception {
        browser.loggedIn();
        assertThat(provider.tokenRequests.get(0))
                .containsEntry("grant_type", "authorization_code")
                .containsEntry("redirect_uri", APP + "/oidc/callback")
                .containsEntry(
                        "authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString("web:a+secret+with+%3A+and+%2B+in+it"
                                                .getBytes(StandardCharsets.US_ASCII)))
                .doesNotContainKey("client_secret");

        Map<String, Object> post = Map.of(
                "client-authentication",
                "post",
                "parameters",
                Map.of("prompt", "login"),
                "scopes",
                List.of("openid", "email"));
        try (TestGateway other = TestGateway.start(extension, client(post))) {
            other.browser().loggedIn();
            assertThat(provider.authorizations.get(1))
                    .containsEntry("prompt", "login")
                    .containsEntry("scope", "openid email");
            assertThat(provider.tokenRequests.get(1))
                    .containsEntry("client_id", "web")
                    .containsEntry("client_secret", TestProvider.SECRET)
                    .containsEntry("authorization", "null");
        }
    }

    @Test
    void authenticatesWithAKeyInsteadOfASecret() throws Exception {
        Path key = Files.writeString(home.resolve("key.json"), TestProvider.OTHER_KEY.toJSONString());
        Map<String, Object> values = new HashMap<>(Map.of(
                "issuer",
                provider.issuer(),
                "client-id",
                "web",
                "client-key",
                key.toString(),
                "redirect-uri",
                List.of(APP + "/oidc/callback")));
        ProviderSettings settings = ProviderSettings.KEYS.read(PlainValues.of(values));
        try (TestGateway other = TestGateway.start(extension, settings)) {
            other.browser().loggedIn();
        }
        Map<String, String> request = provider.tokenRequests.get(0);
        SignedJWT assertion = SignedJWT.parse(request.get("client_assertion"));
        assertThat(assertion.verify(new RSASSAVerifier(TestProvider.OTHER_KEY.toRSAPublicKey())))
                .isTrue();
        assertThat(assertion.getJWTClaimsSet().getAudience()).containsExactly(provider.issuer() + "/token");
        assertThat(request)
                .containsEntry("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
                .containsEntry("authorization", "null");
    }

    @Test
    void usesTheRedirectUriOfAListedHostAndNeverAnotherHost() throws Exception {
        List<String> uris = List.of(APP + "/oidc/callback", "https://shop.example.com:8443/oidc/callback");
        try (TestGateway two = TestGateway.start(extension, client(Map.of("redirect-uri", uris)))) {
            for (Map.Entry<String, String> each : Map.of(
                            "shop.example.com:8443", uris.get(1),
                            "SHOP.example.com:8443", uris.get(1),
                            "app.example.com", uris.get(0),
                            "app.example.com:443", uris.get(0),
                            "shop.example.com", uris.get(0),
                            "evil.test", uris.get(0))
                    .entrySet()) {
                TestBrowser visitor = two.browser();
                visitor.host = each.getKey();
                assertThat(query(location(visitor.open("/"))))
                        .as(each.getKey())
                        .containsEntry("redirect_uri", each.getValue());
            }
        }
    }

    @Test
    void logsInInSeveralTabsAndForgetsUnfinishedLogins() throws Exception {
        String first = location(browser.open("/first"));
        String second = location(browser.open("/second"));
        assertThat(location(browser.open(visit(first)))).isEqualTo(APP + "/first");
        assertThat(location(browser.open(visit(second)))).isEqualTo(APP + "/second");

        TestBrowser other = gateway.browser();
        for (int i = 0; i < 5; i++) {
            other.open("/");
        }
        assertThat(other.cookies).hasSize(5);
        other.open("/");
        assertThat(other.cookies).hasSize(1);
    }

    @Test
    void sessionKeysRotateWithoutALogout() throws Exception {
        browser.loggedIn();
        Secret fresh = new Secret("a newer key of at least 32 characters");
        Secret old = new Secret(TestGateway.KEY);
        try (TestGateway both = TestGateway.start(
                        extension, TestGateway.shared(Map.of("session-keys", List.of(fresh, old))), client(Map.of()));
                TestGateway only = TestGateway.start(
                        extension, TestGateway.shared(Map.of("session-keys", List.of(fresh))), client(Map.of()))) {
            TestBrowser later = both.browser();
            later.cookies.putAll(browser.cookies);
            assertThat(later.fetch("/").status()).isEqualTo(200);
            clock.pass(Duration.ofSeconds(250));
            assertThat(later.fetch("/").status()).as("renewed with the new key").isEqualTo(200);
            TestBrowser last = only.browser();
            last.cookies.putAll(later.cookies);
            assertThat(last.fetch("/").status()).isEqualTo(200);
            last.cookies.putAll(browser.cookies);
            assertThat(last.fetch("/").status()).as("with the old key").isEqualTo(401);
        }
    }
}
