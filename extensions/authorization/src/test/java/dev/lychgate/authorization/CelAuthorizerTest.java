package dev.lychgate.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.PlainValues;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Identity;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code cel} for real exchanges. */
@Tag("slow")
class CelAuthorizerTest {
    private static CelAuthorizer cel(Map<String, Object> settings) {
        return new CelAuthorizer(CelSettings.KEYS.read(PlainValues.of(settings)), "cel", 1_000);
    }

    private static CelAuthorizer cel(String rule) {
        return cel(Map.of("rule", rule));
    }

    private static final Identity ALICE = new Identity(
            "jwt",
            "https://id.example",
            "alice",
            Map.of(
                    "scope",
                    "orders:read",
                    "level",
                    3,
                    "big",
                    new BigInteger("12"),
                    "huge",
                    new BigInteger("123456789012345678901234567890"),
                    "ratio",
                    new BigDecimal("0.5"),
                    "org",
                    Map.of("roles", List.of("admin", 7))));

    /** Sets the identity as an authenticator does. */
    private record Identifies(@Nullable Identity identity) implements InboundFilter, SyncFilter {
        @Override
        public int order() {
            return -1;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.setIdentity(identity);
            return exchange.proceed();
        }
    }

    private static int status(TestExchange request, @Nullable Identity identity, CelAuthorizer authorizer) {
        try (TestResult result = request.through(new Identifies(identity), authorizer)) {
            assertThat(result.getFailures()).isEmpty();
            return result.getStatus();
        }
    }

    private static TestExchange request() {
        return TestExchange.of("POST", "/orders/7?id=1&id=2&q=a%20b")
                .host("Shop.Example:8080")
                .header("X-Tenant", "acme")
                .header("X-Role", "user")
                .header("x-role", "admin")
                .cookie("sid", "s1")
                .client("10.1.2.3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "request.method == 'POST'",
                "request.path == '/orders/7'",
                "request.host == 'shop.example'",
                "request.scheme == 'http'",
                "request.protocol == 'HTTP/1.1'",
                "request.headers['x-tenant'] == 'acme'",
                "request.headers['X-TENANT'] == 'acme'",
                "request.headers['x-role'] == 'user, admin'",
                "request.query.id == ['1', '2'] && request.query.q == ['a b']",
                "request.cookies.sid == 's1'",
                "request.time > timestamp('2020-01-01T00:00:00Z')",
                "connection.address == '10.1.2.3' && connection.address.inNet('10.0.0.0/8')",
                "connection.peer_address == '10.1.2.3' && connection.listener == 'test'",
                "!has(connection.tls_version) && !has(connection.certificate_subject)",
                "identity.scheme == 'jwt' && identity.issuer == 'https://id.example' && identity.subject == 'alice'",
                "claims.scope.contains('orders:read')",
                "claims.level == 3 && claims.big == 12 && claims.huge > 1e29 && claims.ratio == 0.5",
                "'admin' in claims.org.roles && 7 in claims.org.roles"
            })
    void admitsARequestForWhichTheRuleIsTrue(String rule) {
        assertThat(status(request(), ALICE, cel(rule))).isEqualTo(200);
        assertThat(status(request(), ALICE, cel("!(" + rule + ")"))).isEqualTo(403);
    }

    /** A rule for one host must not be avoided by another spelling of it. */
    @ParameterizedTest
    @ValueSource(
            strings = {"admin.example", "Admin.Example", "admin.example.", "admin.example:80", "admin.example.:80"})
    void aHostIsComparedAsRoutesMatchIt(String host) {
        assertThat(status(TestExchange.get("/").host(host), null, cel("request.host != 'admin.example'")))
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "claims.scope.contains('orders:read')",
                "claims.scope != 'x'",
                "identity.subject == 'alice'",
                "identity.subject != 'root'",
                "connection.spiffe_id != 'spiffe://example/x'"
            })
    void aMissingClaimOrIdentityDenies(String rule) {
        assertThat(status(request(), null, cel(rule))).isEqualTo(403);
    }

    @Test
    void anExpressionCanAdmitRequestsWithoutAClaim() {
        CelAuthorizer authorizer = cel("!has(claims.scope) || claims.scope.contains('orders:read')");
        assertThat(status(request(), null, authorizer)).isEqualTo(200);
        assertThat(status(request(), ALICE, authorizer)).isEqualTo(200);
    }

    @Test
    void theRouteIsAVariable() {
        try (TestResult result = request().through(new Identifies(null), cel("route == 'test'"))) {
            // A filter of all routes runs before routing, when an exchange has no route yet.
            assertThat(result.getStatus()).isEqualTo(403);
        }
    }

    @Test
    void theClientGetsNoReason() {
        try (TestResult result = request().through(cel(Map.of("rules", Map.of("only-root", "claims.root == true"))))) {
            assertThat(result.getStatus()).isEqualTo(403);
            assertThat(result.header("content-type")).isEqualTo("application/problem+json");
            assertThat(result.getText()).contains("access denied").doesNotContain("only-root");
        }
    }

    @Test
    void theClientGetsTheNameOfTheFirstRuleThatIsNotTrueIfConfigured() {
        Map<String, String> rules = new LinkedHashMap<>();
        rules.put("first", "true");
        rules.put("second", "false");
        rules.put("third", "claims.absent == 1");
        try (TestResult result = request().through(cel(Map.of("rules", rules, "status", 404, "show-reason", true)))) {
            assertThat(result.getStatus()).isEqualTo(404);
            assertThat(result.getText()).isEqualTo("denied by rule second\n");
        }
    }

    @Test
    void shadowModeLetsADeniedRequestContinue() {
        assertThat(status(request(), null, cel(Map.of("rule", "false", "mode", "shadow"))))
                .isEqualTo(200);
    }

    @Test
    void oneOfRuleAndRulesIsRequired() {
        assertThatThrownBy(() -> cel(Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessage("rule: missing (expected: an expression, or the key rules with named expressions)");
        assertThatThrownBy(() -> cel(Map.of("rule", "true", "rules", Map.of("a", "true"))))
                .isInstanceOf(ConfigException.class)
                .hasMessage("rule: set together with rules (expected: only one of the two)");
        assertThatThrownBy(() -> cel(Map.of("rules", Map.of("a b", "true"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("rules: a b (expected: names of ");
    }
}
