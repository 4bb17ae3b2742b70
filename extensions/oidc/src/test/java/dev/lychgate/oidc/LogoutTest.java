package dev.lychgate.oidc;

import static dev.lychgate.oidc.TestBrowser.location;
import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Logouts by the user, and by the provider through the front channel and the back channel. */
@Tag("slow")
class LogoutTest extends WithProvider {
    LogoutTest() {
        super(Map.of());
    }

    private RawMessage post(String token) throws IOException {
        return gateway.browser()
                .send(
                        "POST",
                        "/oidc/back",
                        Map.of("Content-Type", "application/x-www-form-urlencoded"),
                        "logout_token=" + QueryParameters.encoded(token));
    }

    private String front(String issuer, String sid) {
        return "/oidc/front?iss=" + QueryParameters.encoded(issuer) + "&sid=" + sid;
    }

    // ---- by the user

    @Test
    void endsTheSessionHereAndAtTheProvider() throws Exception {
        browser.loggedIn();
        TestBrowser thief = browser.copy();
        RawMessage redirect = browser.open("/oidc/logout");
        assertThat(redirect.status()).isEqualTo(303);
        Map<String, String> asked =
                TestProvider.parameters(URI.create(location(redirect)).getRawQuery());
        assertThat(location(redirect)).startsWith(provider.issuer() + "/logout?");
        assertThat(asked).containsEntry("client_id", "web").doesNotContainKey("post_logout_redirect_uri");
        assertThat(SignedJWT.parse(asked.get("id_token_hint")).getJWTClaimsSet().getSubject())
                .isEqualTo("alice");
        assertThat(browser.cookies).isEmpty();
        assertThat(thief.fetch("/").status()).as("a stolen cookie").isEqualTo(401);
        assertThat(browser.open("/").status()).isEqualTo(302);
    }

    @Test
    void returnsToTheConfiguredPage() throws Exception {
        try (TestGateway other = TestGateway.start(extension, client(Map.of("after-logout", "/goodbye")))) {
            TestBrowser visitor = other.browser().loggedIn();
            assertThat(TestBrowser.visit(location(visitor.open("/oidc/logout"))))
                    .isEqualTo(APP + "/goodbye");
            assertThat(location(visitor.open("/oidc/logout")))
                    .as("without a session")
                    .isEqualTo(APP + "/goodbye");
        }
        provider.metadata = members -> members.remove("end_session_endpoint");
        try (TestGateway other = TestGateway.start(extension, client(Map.of()))) {
            TestBrowser visitor = other.browser().loggedIn();
            assertThat(location(visitor.send("POST", "/oidc/logout", Map.of("Origin", APP), "")))
                    .as("a provider without a logout")
                    .isEqualTo(APP + "/");
            assertThat(visitor.cookies).isEmpty();
        }
    }

    @Test
    void refusesALogoutByAnotherSite() throws Exception {
        browser.loggedIn();
        for (Map<String, String> foreign : List.of(
                Map.of("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"),
                Map.of("Sec-Fetch-Site", "same-site"),
                Map.of("Origin", "https://evil.test"),
                Map.of("Origin", "null"))) {
            for (String method : List.of("GET", "POST")) {
                assertThat(browser.send(method, "/oidc/logout", foreign, "").status())
                        .as(method + " " + foreign)
                        .isEqualTo(403);
            }
        }
        for (Map<String, String> part : List.of(
                Map.of("Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"),
                Map.of("Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"),
                Map.of("Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate", "Sec-Purpose", "prefetch;prerender"))) {
            assertThat(browser.send("GET", "/oidc/logout", part, "").status())
                    .as("a part of a page: %s", part)
                    .isEqualTo(403);
        }
        RawMessage other = browser.send("DELETE", "/oidc/logout", Map.of(), "");
        assertThat(other.status()).isEqualTo(405);
        assertThat(other.value("allow")).contains("GET, POST");
        assertThat(browser.fetch("/").status()).isEqualTo(200);
        assertThat(browser.send("GET", "/oidc/logout", Map.of("Sec-Fetch-Site", "same-origin"), "")
                        .status())
                .isEqualTo(303);
    }

    // ---- front channel

    /** The frame of the provider is a page of another site: the browser sends no cookies with it. */
    @Test
    void theFrontChannelEndsTheSessionWithoutItsCookie() throws Exception {
        browser.loggedIn();
        RawMessage response = gateway.browser().open(front(provider.issuer(), "session-1"));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.values("cache-control")).containsExactly("no-store");
        assertThat(browser.fetch("/").status()).isEqualTo(401);

        clock.pass(Duration.ofMinutes(1));
        browser.loggedIn();
        assertThat(browser.fetch("/").status()).as("a later login").isEqualTo(200);
        browser.open(front(provider.issuer(), "session-1"));
        assertThat(browser.cookies).as("a frame of the same site").isEmpty();
    }

    @Test
    void theFrontChannelNeedsTheIssuerAndTheSessionOfTheProvider() throws Exception {
        browser.loggedIn();
        for (String path : List.of(
                "/oidc/front",
                "/oidc/front?sid=session-1",
                "/oidc/front?iss=" + QueryParameters.encoded(provider.issuer()),
                front("https://evil.test", "session-1"),
                front(provider.issuer(), "") + "&sid=a",
                front(provider.issuer(), "session-1") + "&sid=session-1")) {
            assertThat(browser.open(path).status()).as(path).isEqualTo(400);
        }
        assertThat(browser.open(front(provider.issuer(), "session-2")).status()).isEqualTo(200);
        assertThat(browser.fetch("/").status()).isEqualTo(200);
    }

    // ---- back channel

    @Test
    void theBackChannelEndsTheSessionsOfASessionAtTheProvider() throws Exception {
        browser.loggedIn();
        provider.session = "session-2";
        TestBrowser other = gateway.browser().loggedIn();
        RawMessage response = post(provider.logoutToken(claims -> claims.claim("sid", "session-1")));
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        assertThat(response.values("cache-control")).containsExactly("no-store");
        assertThat(browser.fetch("/").status()).isEqualTo(401);
        assertThat(other.fetch("/").status()).isEqualTo(200);
    }

    @Test
    void theBackChannelEndsAllSessionsOfAUserThatHaveBegunBefore() throws Exception {
        browser.loggedIn();
        provider.session = "session-2";
        TestBrowser second = gateway.browser().loggedIn();
        provider.claims = claims -> claims.subject("bob");
        TestBrowser bob = gateway.browser().loggedIn();
        provider.claims = claims -> {};
        String token = provider.logoutToken(claims -> claims.subject("alice"));
        assertThat(post(token).status()).isEqualTo(200);
        assertThat(browser.fetch("/").status()).isEqualTo(401);
        assertThat(second.fetch("/").status()).isEqualTo(401);
        assertThat(bob.fetch("/").status()).isEqualTo(200);

        clock.pass(Duration.ofSeconds(1));
        browser.loggedIn();
        assertThat(post(token).status()).as("a replay").isEqualTo(200);
        assertThat(browser.fetch("/").status()).isEqualTo(200);
    }

    @Test
    void aLogoutSurvivesAReloadAndARenewal() throws Exception {
        browser.loggedIn();
        post(provider.logoutToken(claims -> claims.claim("sid", "session-1")));
        try (TestGateway reloaded =
                TestGateway.start(extension, client(Map.of("scopes", List.of("openid", "email"))))) {
            TestBrowser later = reloaded.browser();
            later.cookies.putAll(browser.cookies);
            assertThat(later.fetch("/").status()).isEqualTo(401);
            clock.pass(Duration.ofSeconds(250));
            assertThat(later.fetch("/").status()).isEqualTo(401);
        }
        assertThat(provider.tokenRequests).as("no renewal").hasSize(1);
    }

    @Test
    void refusesOtherLogoutTokens() throws Exception {
        browser.loggedIn();
        for (String token : List.of(
                "",
                "a.b.c",
                provider.idToken("n"),
                provider.logoutToken(claims -> claims.claim("sid", "session-1").audience("other")),
                provider.logoutToken(claims -> claims.claim("sid", "session-1").issuer("https://evil.test")),
                provider.logoutToken(claims -> claims.claim("sid", "session-1").claim("nonce", "n")),
                provider.logoutToken(claims -> claims.claim("sid", "session-1")
                        .issueTime(Date.from(clock.instant().minusSeconds(400)))
                        .expirationTime(null)),
                provider.logoutToken(claims -> {}))) {
            RawMessage refused = post(token);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body()).startsWith("{\"error\":\"invalid_request\"");
        }
        assertThat(post("a&logout_token=b").status()).isEqualTo(400);
        assertThat(browser.send("GET", "/oidc/back?logout_token=a", Map.of(), "")
                        .status())
                .isEqualTo(400);
        assertThat(browser.send("POST", "/oidc/back", Map.of("Content-Type", "application/json"), "{}")
                        .status())
                .isEqualTo(400);
        assertThat(browser.send(
                                "POST",
                                "/oidc/back",
                                Map.of("Content-Type", "application/x-www-form-urlencoded"),
                                "logout_token=" + "a".repeat(70_000))
                        .status())
                .isEqualTo(413);
        assertThat(browser.fetch("/").status()).isEqualTo(200);
    }

    private static void hold(Gate gate) {
        try {
            gate.await(Duration.ofMinutes(1));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Any client can send texts to the path of the provider. */
    @Test
    void refusesTextsThatAreNoLogoutTokensWithoutTheThreadOfTheProvider() throws Exception {
        Gate gate = new Gate();
        extension.open(TestGateway.shared(Map.of())).state().owner().execute(() -> hold(gate));
        try {
            for (String junk : List.of("", "a.b.c", "e30.e30.e30", "x".repeat(8_000), provider.idToken("n"))) {
                assertThat(post(junk).status()).isEqualTo(400);
            }
        } finally {
            gate.open();
        }
    }

    @Test
    void forgedTokensThatWaitForKeysDelayNoLogin() throws Exception {
        Gate gate = new Gate();
        List<RawClient> senders = new ArrayList<>();
        OidcSettings few = TestGateway.shared(Map.of("waiting", 20));
        try (TestGateway other = TestGateway.start(new OidcExtension(clock), few, client(Map.of()))) {
            other.browser().loggedIn();
            clock.pass(Duration.ofSeconds(11));
            provider.override = path -> {
                if (path.equals("/keys")) {
                    hold(gate);
                }
                return null;
            };
            String token = provider.logoutToken(claims -> claims.claim("sid", "session-1"));
            String form = "logout_token=" + token.substring(0, token.lastIndexOf('.')) + ".AAAA";
            AtomicInteger waiting = other.extension.open(few).state().waitingLogouts();
            for (int i = 0; i < 40; i++) {
                senders.add(RawClient.connect(other.address())
                        .send("POST /oidc/back HTTP/1.1\r\nHost: app.example.com\r\nContent-Type:"
                                + " application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n\r\n"
                                + form));
                int sent = i + 1;
                if (sent <= Tasks.MOST_LOGOUTS) {
                    eventually(() -> assertThat(waiting).hasValue(sent));
                } else {
                    assertThat(senders.get(i).readResponse().status()).isEqualTo(503);
                }
            }
            assertThat(other.browser().open("/").status()).isEqualTo(302);
        } finally {
            gate.open();
            for (RawClient sender : senders) {
                sender.close();
            }
        }
    }

    @Test
    void asksTheProviderToRepeatALogoutIfItsKeysCannotBeFetched() throws Exception {
        String token = provider.logoutToken(claims -> claims.claim("sid", "session-1"));
        provider.override = path -> new TestProvider.Response(500, "");
        assertThat(post(token).status()).isEqualTo(503);
    }

    @Test
    void theListOfEndedSessionsIsBoundedAndForgetsExpiredOnes() {
        EndedSessions ended = new EndedSessions("test", 3);
        for (int i = 0; i < 4; i++) {
            ended.add("s" + i, 100, 1_000, 0);
        }
        assertThat(ended.size()).isEqualTo(3);
        assertThat(ended.contains("s0", 50)).as("the oldest").isFalse();
        assertThat(ended.contains("s3", 100)).isTrue();
        assertThat(ended.contains("s3", 101)).as("a later session").isFalse();
        ended.add("s3", 50, 900, 0);
        assertThat(ended.contains("s3", 100))
                .as("an older logout changes nothing")
                .isTrue();
        ended.add("s4", 100, 2_000, 1_000);
        assertThat(ended.size()).as("the others have expired").isEqualTo(1);
        assertThat(EndedSessions.ofProviderSession("p", "x".repeat(10_000))).hasSizeLessThan(100);
    }
}
