package dev.lychgate.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cel.runtime.CelVariableResolver;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions: the language, its bounds, and the messages for refused expressions. */
@Tag("slow")
class CelRuleTest {
    private static final Map<String, Object> VALUES = Map.of(
            "request",
            Map.of(
                    "method", "GET",
                    "path", "/orders/7",
                    "host", "shop.example",
                    "scheme", "https",
                    "protocol", "HTTP/2.0",
                    "headers", Map.of("x-tenant", "acme"),
                    "query", Map.of("id", List.of("1", "2")),
                    "cookies", Map.of("sid", "s1")),
            "identity",
            Map.of("scheme", "jwt", "subject", "alice"),
            "claims",
            Map.of(
                    "scope",
                    "orders:read orders:write",
                    "roles",
                    List.of("admin", "dev"),
                    "level",
                    3L,
                    "score",
                    2.5,
                    "org",
                    Map.of("id", "o1")),
            "connection",
            Map.of("address", "10.1.2.3"),
            "route",
            "api");
    private static final CelVariableResolver VARIABLES = name -> Optional.ofNullable(VALUES.get(name));

    private static String evaluated(String expression) {
        String refusal = new CelRule("rule", expression, 1_000).refusal(VARIABLES);
        return refusal == null ? "is true" : refusal;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Literals, operators and precedence.
                "1 + 2 * 3 == 7",
                "(1 + 2) * 3 == 9",
                "7 / 2 == 3 && 7 % 2 == 1 && -7 / 2 == -3",
                "1.5 + 1.5 == 3.0",
                "1u + 2u == 3u",
                "0x1F == 31",
                "1 < 1.5 && 2u > 1",
                "'a' + \"b\" == 'ab'",
                "'a' < 'b'",
                "r'\\d' == '\\\\d'",
                "'\\u00e4' == 'ä'",
                "b'abc' == b'\\x61bc'",
                "!false && true || false",
                "true ? true : false",
                "null == null",
                "[1, 2] + [3] == [1, 2, 3]",
                "[1, 2, 3][1] == 2",
                "2 in [1, 2]",
                "{'a': 1}['a'] == 1 && 'a' in {'a': 1}",
                "{'a': {'b': 2}}.a.b == 2",
                "size('abc') == 3 && [1, 2].size() == 2 && size({'a': 1}) == 1",
                // Errors are absorbed where another operand decides.
                "true || 1 / 0 == 1",
                "1 / 0 == 1 || true",
                "!(false && 1 / 0 == 1)",
                "!(1 / 0 == 1 && false)",
                // Macros.
                "[1, 2, 3].all(n, n > 0)",
                "[1, 2, 3].exists(n, n == 2)",
                "[1, 2, 3].exists_one(n, n == 2)",
                "[1, 2, 3].map(n, n * 2) == [2, 4, 6]",
                "[1, 2, 3].filter(n, n > 1) == [2, 3]",
                "[].all(n, false) && ![].exists(n, true)",
                "has(claims.scope) && !has(claims.other)",
                // Conversions, types and functions.
                "int('7') == 7 && string(7) == '7' && double(1) == 1.0 && int(1.9) == 1",
                "type(1) == int && type('') == string",
                "dyn(1) == 1.0",
                "'orders:read'.contains(':') && 'abc'.startsWith('a') && 'abc'.endsWith('c')",
                "'abc'.matches('^a.c$') && 'xaby'.matches('ab')",
                "matches('abc', 'b')",
                "'a,b'.split(',') == ['a', 'b'] && ' a '.trim() == 'a' && 'A'.lowerAscii() == 'a'",
                "'abc'.substring(1) == 'bc' && 'abc'.indexOf('c') == 2 && 'abc'.charAt(0) == 'a'",
                "timestamp('2026-01-01T00:00:00Z') < timestamp('2026-01-02T00:00:00Z')",
                "timestamp('2026-01-01T12:00:00Z').getHours('Europe/Berlin') == 13",
                "duration('90s') == duration('1m30s')",
                // Variables.
                "request.method == 'GET' && request.path.startsWith('/orders/')",
                "request.host == 'shop.example' && request.scheme == 'https'",
                "request.headers['x-tenant'] == 'acme' && !('x-other' in request.headers)",
                "'2' in request.query.id && request.cookies.sid == 's1'",
                "claims.scope.contains('orders:read')",
                "'orders:write' in claims.scope.split(' ')",
                "'admin' in claims.roles && claims.level >= 3 && claims.score > 2.4",
                "claims.org.id == 'o1'",
                "identity.scheme == 'jwt' && identity.subject == 'alice' && !has(identity.issuer)",
                "route == 'api'",
                "!has(connection.spiffe_id)",
                // Address blocks.
                "connection.address.inNet('10.0.0.0/8')",
                "connection.address.inNet(['192.168.0.0/16', '10.1.0.0/16'])",
                "!connection.address.inNet('10.1.3.0/24') && !connection.address.inNet('::/0')",
                "'2001:db8::1'.inNet('2001:db8::/32')"
            })
    void isTrue(String expression) {
        assertThat(evaluated(expression)).isEqualTo("is true");
    }

    static Stream<Arguments> notTrue() {
        return Stream.of(
                Arguments.of("false", "is false"),
                Arguments.of("claims.scope == 'x'", "is false"),
                Arguments.of("claims.absent == 'x'", "failed: "),
                Arguments.of("claims.absent != 'x'", "failed: "),
                Arguments.of("!(claims.absent == 'x')", "failed: "),
                Arguments.of("identity.issuer != 'x'", "failed: "),
                Arguments.of("connection.spiffe_id != 'x'", "failed: "),
                Arguments.of("request.headers['x-absent'] != 'x'", "failed: "),
                Arguments.of("claims.level", "failed: the value is not a bool"),
                Arguments.of("claims.level.contains('x')", "failed: "),
                Arguments.of("claims.roles.contains('admin')", "failed: "),
                Arguments.of("1 / 0 == 1", "failed: "),
                Arguments.of("9223372036854775807 + claims.level > 0", "failed: "),
                Arguments.of("[1][1] == 1", "failed: "),
                Arguments.of("int(claims.scope) == 1", "failed: "),
                Arguments.of("claims.scope.inNet('10.0.0.0/8')", "failed: "),
                Arguments.of("connection.address.inNet(claims.scope)", "failed: "));
    }

    @ParameterizedTest
    @MethodSource("notTrue")
    void isNotTrue(String expression, String reason) {
        assertThat(evaluated(expression)).startsWith(reason);
    }

    /** Each bad rule with its place and a part of the message. */
    static Stream<Arguments> badRules() {
        return Stream.of(
                Arguments.of("", "1:"),
                Arguments.of("1 +", "1:4: "),
                Arguments.of("(true", "1:6: "),
                Arguments.of("true)", "1:5: "),
                Arguments.of("true true", "1:6: "),
                Arguments.of("'abc", "1:1: "),
                Arguments.of("claims.", "1:8: "),
                Arguments.of("true &&\n  (false", "2:9: "),
                Arguments.of("a = b", "1:3: "),
                Arguments.of("if (true) { true }", "1:"),
                Arguments.of("1", "expected type 'bool' but found 'int'"),
                Arguments.of("'true'", "expected type 'bool' but found 'string'"),
                Arguments.of("request.method", "expected type 'bool' but found 'string'"),
                Arguments.of("claims", "expected type 'bool' but found 'map(string, dyn)'"),
                Arguments.of("user == 'a'", "1:1: undeclared reference to 'user'"),
                Arguments.of("request.metod == 'GET'", "1:8: undefined field 'metod'"),
                Arguments.of("true && request.Path == '/'", "1:16: undefined field 'Path'"),
                Arguments.of("identity.name == 'a'", "undefined field 'name'"),
                Arguments.of("connection.ip == 'a'", "undefined field 'ip'"),
                Arguments.of("route.id == 'a'", "1:6: "),
                Arguments.of("request.method == 1", "1:16: found no matching overload for '_==_'"),
                Arguments.of("request.method > 1", "found no matching overload for '_>_'"),
                Arguments.of("request.method && true", "found no matching overload for '_&&_'"),
                Arguments.of("!request.method", "found no matching overload for '!_'"),
                Arguments.of("request.path.starts('/')", "1:20: undeclared reference to 'starts'"),
                Arguments.of("request.path.startsWith(1)", "found no matching overload for 'startsWith'"),
                Arguments.of("request.path.startsWith()", "found no matching overload for 'startsWith'"),
                Arguments.of("request.headers[1] == 'a'", "found no matching overload for '_[_]'"),
                Arguments.of("request.headers.a.b == 'a'", "does not support field selection"),
                Arguments.of("request.query.id == 'a'", "found no matching overload for '_==_'"),
                Arguments.of("has(request)", "1:"),
                Arguments.of("has(request.metod)", "undefined field 'metod'"),
                Arguments.of("[1, 2].all(n)", "undeclared reference to 'all'"),
                Arguments.of("[1, 2].all('n', true)", "must be"),
                Arguments.of("[1, 2].exists(n, n)", "found no matching overload"),
                Arguments.of("request.path.matches('(')", "1:22: an RE2 expression; "),
                Arguments.of("request.path.matches('(?=a)')", "an RE2 expression; "),
                Arguments.of("request.path.matches('(a)\\\\1')", "an RE2 expression; "),
                Arguments.of(
                        "request.path.matches('((a{0,100}){0,100}){0,100}')",
                        "an RE2 expression of at most 2000 instructions"),
                Arguments.of("request.path.matches(request.method)", "1:29: the pattern of matches must be a constant"),
                Arguments.of("request.path.matches('a' + 'b')", "the pattern of matches must be a constant"),
                Arguments.of("request.path.replace('a', 'b') == ''", "undeclared reference to 'replace'"),
                Arguments.of("connection.address.inNet('10.0.0.0/33')", "1:26: a prefix length from 0 to 32"),
                Arguments.of("connection.address.inNet('10.0.0.1/8')", "no bits set beyond /8"),
                Arguments.of("connection.address.inNet('home')", "an address block such as 10.0.0.0/8"),
                Arguments.of("connection.address.inNet(['10.0.0.0/8', 'x'])", "1:41: an address block"),
                Arguments.of("connection.address.inNet(8)", "found no matching overload for 'inNet'"),
                Arguments.of("lychgate.Request{method: 'GET'} == request", "1:17: an object cannot be created"),
                Arguments.of("timestamp(1.5) == request.time", "found no matching overload for 'timestamp'"),
                Arguments.of("true" + " && true".repeat(600), "code point"),
                Arguments.of("(".repeat(200) + "true" + ")".repeat(200), "recursion"));
    }

    @ParameterizedTest
    @MethodSource("badRules")
    void aRefusedExpressionHasAMessageWithItsPlace(String expression, String message) {
        assertThatThrownBy(() -> CelCompilation.of(expression))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a CEL expression of type bool; ")
                .hasMessageContaining(message)
                .hasMessageNotContainingAny("\n", "\r");
    }

    @Test
    void boundsTheIterationsOfMacros() {
        String nested = "[1, 2, 3, 4].all(a, [1, 2, 3, 4].all(b, [1, 2, 3, 4].all(c, a + b + c > 0)))";
        assertThat(new CelRule("rule", nested, 1_000).refusal(VARIABLES)).isNull();
        assertThat(new CelRule("rule", nested, 50).refusal(VARIABLES))
                .startsWith("failed: ")
                .contains("50");
    }

    @Test
    void theReasonOfAFailureIsShortAndOneLine() {
        String reason = new CelRule("rule", "request.headers[claims.scope + '\\n" + "x".repeat(1_000) + "'] == ''", 10)
                .refusal(VARIABLES);
        assertThat(reason).startsWith("failed: ").hasSizeLessThan(250).doesNotContain("\n");
    }
}
