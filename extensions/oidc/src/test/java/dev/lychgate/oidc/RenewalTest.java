package dev.lychgate.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions whose tokens expire. */
@Tag("slow")
class RenewalTest extends WithProvider {
    RenewalTest() {
        super(Map.of("session-lifetime", "1h"));
    }

    private int renewals() {
        return (int) provider.tokenRequests.stream()
                .filter(request -> "refresh_token".equals(request.get("grant_type")))
                .count();
    }

    @Test
    void renewsTheTokensBeforeTheyExpireAndStoresTheNewSession() throws Exception {
        browser.loggedIn();
        Map<String, String> first = Map.copyOf(browser.cookies);
        clock.pass(Duration.ofSeconds(239));
        assertThat(browser.fetch("/").status()).isEqualTo(200);
        assertThat(renewals()).as("a minute before the end, and not earlier").isZero();
        clock.pass(Duration.ofSeconds(1));
        provider.claims = claims -> claims.claim("groups", List.of("staff"));
        RawMessage renewed = browser.fetch("/");
        assertThat(renewed.status()).isEqualTo(200);
        assertThat(renewed.value("x-groups")).contains("[staff]");
        assertThat(renewed.values("cache-control"))
                .as("no shared cache stores the cookie")
                .contains("no-store");
        assertThat(renewals()).isEqualTo(1);
        assertThat(browser.cookies).isNotEqualTo(first);
        assertThat(browser.fetch("/").values("set-cookie")).isEmpty();
        assertThat(renewals()).isEqualTo(1);
    }

    @Test
    void renewsASessionAfterItsTokensHaveExpiredUntilItsEnd() throws Exception {
        browser.loggedIn();
        clock.pass(Duration.ofMinutes(59));
        assertThat(browser.fetch("/").status()).isEqualTo(200);
        clock.pass(Duration.ofMinutes(1));
        assertThat(browser.fetch("/").status()).as("session-lifetime").isEqualTo(401);
        assertThat(browser.open("/").status()).isEqualTo(302);
        assertThat(renewals()).isEqualTo(1);
    }

    @Test
    void aSessionWithoutARefreshTokenEndsWithItsTokens() throws Exception {
        provider.refreshes = false;
        browser.loggedIn();
        clock.pass(Duration.ofSeconds(299));
        assertThat(browser.fetch("/").status()).isEqualTo(200);
        clock.pass(Duration.ofSeconds(1));
        assertThat(browser.fetch("/").status()).isEqualTo(401);
    }

    @Test
    void aRefreshTokenIsKeptIfTheProviderSendsNoNewOne() throws Exception {
        browser.loggedIn();
        provider.tokens = members -> {
            members.remove("id_token");
            members.remove("refresh_token");
        };
        clock.pass(Duration.ofSeconds(250));
        RawMessage renewed = browser.fetch("/");
        assertThat(renewed.status()).isEqualTo(200);
        assertThat(renewed.value("x-user")).as("the claims of the login").contains("alice");
        clock.pass(Duration.ofSeconds(250));
        browser.fetch("/");
        assertThat(provider.tokenRequests).hasSize(3);
        assertThat(provider.tokenRequests.get(2).get("refresh_token"))
                .isEqualTo(provider.tokenRequests.get(1).get("refresh_token"));
    }

    /** A page loads many resources at once, and the refresh token is valid once. */
    @Test
    void concurrentRequestsShareOneRenewal() throws Exception {
        browser.loggedIn();
        clock.pass(Duration.ofSeconds(250));
        CountDownLatch respond = new CountDownLatch(1);
        provider.beforeToken = () -> {
            try {
                respond.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        ExecutorService threads = Executors.newFixedThreadPool(20);
        try {
            List<Future<RawMessage>> responses = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                TestBrowser parallel = browser.copy();
                responses.add(threads.submit(() -> parallel.fetch("/")));
            }
            respond.countDown();
            for (Future<RawMessage> response : responses) {
                assertThat(response.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
                assertThat(response.get().values("set-cookie")).hasSize(1);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(renewals()).isEqualTo(1);
        assertThat(browser.fetch("/").status())
                .as("a late request with the old cookie")
                .isEqualTo(200);
        assertThat(renewals()).isEqualTo(1);
    }

    @Test
    void keepsTheSessionDuringAFailureOfTheProviderUntilTheTokensExpire() throws Exception {
        browser.loggedIn();
        clock.pass(Duration.ofSeconds(250));
        provider.override = path -> path.equals("/token") ? new TestProvider.Response(502, "") : null;
        assertThat(browser.fetch("/").status()).isEqualTo(200);
        assertThat(browser.fetch("/").status()).isEqualTo(200);
        assertThat(provider.count("/token")).as("one attempt in 5 s").isEqualTo(2);
        clock.pass(Duration.ofSeconds(50));
        assertThat(browser.fetch("/").status()).isEqualTo(503);
        provider.override = path -> null;
        clock.pass(Duration.ofSeconds(6));
        assertThat(browser.fetch("/").status()).isEqualTo(200);
    }

    @Test
    void theSessionEndsWhenTheProviderRefusesTheRenewal() throws Exception {
        browser.loggedIn();
        TestBrowser copy = browser.copy();
        provider.override =
                path -> path.equals("/token") ? new TestProvider.Response(400, "{\"error\":\"invalid_grant\"}") : null;
        clock.pass(Duration.ofSeconds(250));
        assertThat(browser.fetch("/").status()).isEqualTo(401);
        assertThat(browser.open("/").status()).as("a new login begins").isEqualTo(302);
        assertThat(copy.fetch("/").status())
                .as("the tokens would be valid for 50 s")
                .isEqualTo(401);
        assertThat(provider.count("/token")).isEqualTo(2);
    }

    @Test
    void refusesRenewedTokensOfAnotherUserOrLogin() throws Exception {
        browser.loggedIn();
        clock.pass(Duration.ofSeconds(250));
        provider.claims = claims -> claims.subject("mallory");
        assertThat(browser.fetch("/").status()).isEqualTo(401);

        provider.claims = claims -> {};
        TestBrowser other = gateway.browser().loggedIn();
        clock.pass(Duration.ofSeconds(250));
        provider.claims = claims -> claims.claim("nonce", "other");
        assertThat(other.fetch("/").status()).isEqualTo(401);
    }

    @Test
    void tokensWithAShortLifeAreRenewedInTheirSecondHalf() throws Exception {
        provider.lifetime = 10;
        browser.loggedIn();
        clock.pass(Duration.ofSeconds(4));
        browser.fetch("/");
        assertThat(renewals()).isZero();
        clock.pass(Duration.ofSeconds(1));
        browser.fetch("/");
        assertThat(renewals()).isEqualTo(1);

        provider.lifetime = 0;
        assertThat(gateway.browser().login("/").body()).contains("have already expired");
    }

    @Test
    void usesTheLifetimeOfTheIdTokenIfTheResponseHasNone() throws Exception {
        provider.refreshes = false;
        provider.tokens = members -> members.remove("expires_in");
        browser.loggedIn();
        clock.pass(Duration.ofSeconds(299));
        assertThat(browser.fetch("/").status()).isEqualTo(200);
        clock.pass(Duration.ofSeconds(2));
        assertThat(browser.fetch("/").status()).isEqualTo(401);
    }
}
