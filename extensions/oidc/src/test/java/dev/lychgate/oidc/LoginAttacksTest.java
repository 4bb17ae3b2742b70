package dev.lychgate.oidc;

import static dev.lychgate.oidc.TestBrowser.location;
import static dev.lychgate.oidc.TestBrowser.visit;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attacks on logins, sessions and redirects. */
@Tag("slow")
class LoginAttacksTest extends WithProvider {
    LoginAttacksTest() {
        super(Map.of());
    }

    /** Login CSRF: the victim gets a response that belongs to a login of the attacker. */
    @Test
    void refusesAResponseForALoginOfAnotherBrowser() throws Exception {
        TestBrowser attacker = gateway.browser();
        String response = visit(location(attacker.open("/")));
        RawMessage refused = browser.open(response);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("this browser has not begun this login");
        browser.open("/");
        assertThat(browser.open(response).status())
                .as("with a login of its own")
                .isEqualTo(400);
        assertThat(provider.tokenRequests).isEmpty();
        assertThat(browser.fetch("/").status()).isEqualTo(401);
    }

    /** Code injection: the attacker uses a stolen code in a login of his own. */
    @Test
    void refusesACodeOfAnotherLogin() throws Exception {
        String stolen = query(visit(location(gateway.browser().open("/")))).get("code");
        String own = visit(location(browser.open("/")));
        String injected = own.replaceFirst("code=[^&]*", "code=" + stolen);
        assertThat(browser.open(injected).status()).as("by PKCE").isEqualTo(403);

        provider.checksPkce = false;
        stolen = query(visit(location(gateway.browser().open("/")))).get("code");
        injected = visit(location(browser.open("/"))).replaceFirst("code=[^&]*", "code=" + stolen);
        RawMessage refused = browser.open(injected);
        assertThat(refused.status()).as("by the nonce").isEqualTo(403);
        assertThat(refused.body()).contains("its nonce differs");
        assertThat(browser.fetch("/").status()).isEqualTo(401);
    }

    @Test
    void completesALoginOnceEvenIfItsCookieIsReplayed() throws Exception {
        String response = visit(location(browser.open("/")));
        TestBrowser copy = browser.copy();
        assertThat(browser.open(response).status()).isEqualTo(303);
        RawMessage replayed = copy.open(response);
        assertThat(replayed.status()).isEqualTo(400);
        assertThat(replayed.body()).contains("already completed");
        assertThat(provider.tokenRequests).hasSize(1);

        assertThat(location(browser.open(response)))
                .as("a reload of the callback, with a session")
                .isEqualTo(APP + "/");
    }

    @Test
    void aLoginExpires() throws Exception {
        String response = visit(location(browser.open("/")));
        clock.pass(Duration.ofMinutes(10));
        RawMessage refused = browser.open(response);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("the login has expired");
        assertThat(browser.cookies).isEmpty();
        assertThat(provider.tokenRequests).isEmpty();
    }

    @Test
    void refusesMalformedCallbacks() throws Exception {
        String response = visit(location(browser.open("/")));
        String path = TestBrowser.path(response);
        String otherState = path.contains("state=_") ? "state=A" : "state=_";
        for (String malformed : List.of(
                "/oidc/callback",
                "/oidc/callback?code=a",
                "/oidc/callback?state=a",
                path + "&state=a",
                path + "&code=a",
                path + "&iss=a&iss=b",
                path.replaceFirst("state=.", otherState))) {
            assertThat(browser.send("GET", malformed, Map.of(), "").status())
                    .as(malformed)
                    .isEqualTo(400);
        }
        assertThat(browser.send("POST", path, Map.of(), "").status()).isEqualTo(400);
        assertThat(provider.tokenRequests).isEmpty();
        assertThat(browser.open(response).status())
                .as("the login itself is intact")
                .isEqualTo(303);
    }

    /** Mix-up: a response of a malicious provider, or of the right one, for a login at another provider. */
    @Test
    void refusesAResponseOfAnotherIssuer() throws Exception {
        provider.authorization = parameters -> parameters.put("iss", "https://evil.test");
        assertThat(browser.open(visit(location(browser.open("/")))).body())
                .contains("does not come from the identity provider");
        provider.authorization = parameters -> parameters.put("iss", provider.issuer());
        browser.loggedIn();
        assertThat(provider.tokenRequests).hasSize(1);
    }

    @Test
    void requiresTheIssuerInResponsesIfTheProviderPromisesIt() throws Exception {
        provider.metadata = members -> members.put("authorization_response_iss_parameter_supported", true);
        RawMessage refused = browser.open(visit(location(browser.open("/"))));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(provider.tokenRequests).isEmpty();
        provider.authorization = parameters -> parameters.put("iss", provider.issuer());
        browser.loggedIn();
    }

    @Test
    void aLoginAtOneProviderIsNotCompletedByAnother() throws Exception {
        try (TestProvider second = TestProvider.start(clock);
                TestGateway both = TestGateway.start(
                        extension,
                        client(Map.of("redirect", false)),
                        TestGateway.client(
                                second.issuer(),
                                Map.of(
                                        "redirect-uri",
                                        List.of(APP + "/second/callback"),
                                        "login-path",
                                        "/second/login",
                                        "logout-path",
                                        "/second/logout",
                                        "front-channel-logout-path",
                                        "/second/front",
                                        "back-channel-logout-path",
                                        "/second/back")))) {
            TestBrowser visitor = both.browser();
            String atSecond = visit(location(visitor.open("/")));
            assertThat(atSecond).startsWith(APP + "/second/callback");
            assertThat(visitor.open(atSecond.replace("/second/", "/oidc/")).status())
                    .isEqualTo(400);
            assertThat(provider.tokenRequests).isEmpty();
            assertThat(visitor.open(atSecond).status()).isEqualTo(303);
            assertThat(visitor.open("/").value("x-user")).contains("alice");

            String atFirst = visit(location(visitor.open("/oidc/login?return=/a")));
            assertThat(visitor.open(atFirst).status()).isEqualTo(303);
            assertThat(visitor.cookies).as("one session at each provider").hasSize(2);
        }
    }

    @Test
    void aLoginAndALogoutReachTheirProviderWhateverSessionsTheBrowserHas() throws Exception {
        Map<String, Object> paths = Map.of(
                "redirect", false,
                "redirect-uri", List.of(APP + "/second/callback"),
                "login-path", "/second/login",
                "logout-path", "/second/logout",
                "front-channel-logout-path", "/second/front",
                "back-channel-logout-path", "/second/back");
        try (TestProvider second = TestProvider.start(clock);
                TestGateway both =
                        TestGateway.start(extension, client(Map.of()), TestGateway.client(second.issuer(), paths))) {
            TestBrowser visitor = both.browser();
            String atSecond = location(visitor.open("/second/login?return=/a"));
            assertThat(atSecond).as("not at the first provider").startsWith(second.issuer());
            assertThat(location(visitor.open(visit(atSecond)))).isEqualTo(APP + "/a");

            TestBrowser known = both.browser().loggedIn();
            String alsoAtSecond = location(known.open("/second/login?return=/b"));
            assertThat(alsoAtSecond).as("with a session at the first provider").startsWith(second.issuer());
            assertThat(location(known.open(visit(alsoAtSecond)))).isEqualTo(APP + "/b");
            assertThat(known.cookies).as("a session at each provider").hasSize(2);

            RawMessage logout = known.open("/second/logout");
            assertThat(location(logout)).startsWith(second.issuer() + "/logout");
            assertThat(known.cookies).as("that at the first provider").hasSize(1);
            assertThat(known.open("/").value("x-user")).contains("alice");
        }
    }

    @Test
    void reportsTheErrorOfTheProviderWithoutItsText() throws Exception {
        for (Map.Entry<String, Integer> each : Map.of(
                        "access_denied", 403, "login_required", 400, "<script>alert(1)</script>", 400)
                .entrySet()) {
            provider.authorization = parameters -> {
                parameters.remove("code");
                parameters.put("error", each.getKey());
                parameters.put("error_description", "<script>");
            };
            RawMessage refused = browser.open(visit(location(browser.open("/"))));
            assertThat(refused.status()).isEqualTo(each.getValue());
            assertThat(refused.body())
                    .contains("the identity provider refused the login")
                    .doesNotContain("<");
            assertThat(refused.value("content-type")).contains("text/plain; charset=utf-8");
        }
    }

    @Test
    void refusesIdTokensThatAreNotThoseOfThisLogin() throws Exception {
        provider.claims = claims -> claims.audience("other");
        assertThat(browser.login("/").body()).contains("for another client");
        provider.claims = claims -> claims.claim("nonce", "other");
        assertThat(browser.login("/").body()).contains("its nonce differs");
        provider.claims = claims -> {};
        provider.signing = TestProvider.OTHER_KEY;
        assertThat(browser.login("/").body()).contains("no key of the provider");
        provider.signing = TestProvider.KEY;
        provider.tokens = members -> members.remove("id_token");
        assertThat(browser.login("/").body()).contains("has no ID token");
        assertThat(browser.fetch("/").status()).isEqualTo(401);
    }

    /** Session fixation: the attacker gives the victim a session before the login. */
    @Test
    void aLoginReplacesTheSessionThatTheBrowserHad() throws Exception {
        provider.refreshes = false;
        provider.claims = claims -> claims.subject("mallory");
        TestBrowser attacker = gateway.browser().loggedIn();
        provider.claims = claims -> {};
        clock.pass(Duration.ofMinutes(5));
        browser.cookies.putAll(attacker.cookies);
        browser.loggedIn();
        assertThat(browser.cookieNames()).isEqualTo(attacker.cookieNames());
        assertThat(browser.cookies).isNotEqualTo(attacker.cookies);
        assertThat(browser.open("/").value("x-user")).contains("alice");
        assertThat(attacker.fetch("/").status()).as("the planted session").isEqualTo(401);
    }

    @Test
    void acceptsNoAlteredExchangedOrOversizedCookie() throws Exception {
        browser.loggedIn();
        String name = browser.cookieNames().iterator().next();
        String value = requireNonNull(browser.cookies.get(name));
        browser.open("/oidc/login?return=/"); // redirects at once, because there is a session
        TestBrowser visitor = gateway.browser();
        String login = visit(location(visitor.open("/")));
        String loginName = visitor.cookieNames().iterator().next();
        for (String other : List.of(
                value.substring(0, value.length() - 4) + "AAAA",
                value.replaceFirst("^1", "2"),
                "1." + visitor.cookies.get(loginName),
                "1." + "A".repeat(20_000),
                "9." + value,
                "1.",
                "")) {
            TestBrowser forged = gateway.browser();
            forged.cookies.put(name, other);
            assertThat(forged.fetch("/").status())
                    .as(other.substring(0, Math.min(20, other.length())))
                    .isEqualTo(401);
        }
        visitor.cookies.put(loginName, value.substring(2));
        assertThat(visitor.open(login).status())
                .as("a session in place of a login")
                .isEqualTo(400);
    }

    @Test
    void largeSessionsUseSeveralCookiesUpToALimit() throws Exception {
        provider.claims = claims -> claims.claim("picture", "x".repeat(5_000));
        browser.loggedIn();
        assertThat(browser.cookies).hasSizeBetween(3, 4);
        RawMessage page = browser.open("/");
        assertThat(page.value("x-user")).contains("alice");
        assertThat(page.body()).isEqualTo("/ []");

        String part = browser.cookieNames().stream()
                .filter(name -> name.endsWith(".1"))
                .findFirst()
                .orElseThrow();
        TestBrowser incomplete = browser.copy();
        incomplete.cookies.remove(part);
        assertThat(incomplete.fetch("/").status()).isEqualTo(401);

        provider.claims = claims -> claims.claim("picture", "x".repeat(12_000));
        RawMessage refused = gateway.browser().login("/");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).contains("more than 4 cookies can store (key session-cookies)");
    }

    /** Open redirects: after the login, the browser stays on this site. */
    @Test
    void returnsToPathsOfThisSiteOnly() throws Exception {
        for (String target : List.of(
                "//evil.test/",
                "/%5Cevil.test",
                "https://evil.test/",
                "/%09/evil.test",
                "%0d%0aSet-Cookie:a=b",
                "/oidc/logout",
                "/oidc/login?return=/",
                "/oidc/callback?code=a")) {
            TestBrowser visitor = gateway.browser();
            RawMessage redirect = visitor.open("/oidc/login?return=" + target);
            assertThat(location(visitor.open(visit(location(redirect)))))
                    .as(target)
                    .isEqualTo(APP + "/");
        }
        TestBrowser visitor = gateway.browser();
        RawMessage redirect = visitor.send("GET", "//evil.test/a", Map.of("Accept", "text/html"), "");
        assertThat(location(visitor.open(visit(location(redirect))))).isIn(APP + "/", APP + "/evil.test/a");
        assertThat(location(browser.login("/oidc/login?return=/a&return=/b"))).isEqualTo(APP + "/");
    }
}
