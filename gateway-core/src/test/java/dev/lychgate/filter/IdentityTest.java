package dev.lychgate.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IdentityTest {
    private static Identity of(Map<String, Object> claims) {
        return new Identity("jwt", "https://id.example.com", "alice", claims);
    }

    @Test
    void findsClaimsByNameAndByPath() {
        Identity identity = of(Map.of(
                "a.b", "exact",
                "a", Map.of("b", "inner", "c", Map.of("d", 1)),
                "https://example.com/roles", List.of("x"),
                "x.y", Map.of("z", true)));
        assertThat(identity.claim("a.b")).isEqualTo("exact");
        assertThat(identity.claim("a.c.d")).isEqualTo(1);
        assertThat(identity.claim("x.y.z")).isEqualTo(true);
        assertThat(identity.claim("https://example.com/roles")).isEqualTo(List.of("x"));
        assertThat(identity.claim("a.b.c")).isNull();
        assertThat(identity.claim("none")).isNull();
        assertThat(identity.claim("")).isNull();
    }

    @Test
    void subjectAndIssuerStandForMissingClaims() {
        assertThat(of(Map.of()).claim("sub")).isEqualTo("alice");
        assertThat(of(Map.of()).claim("iss")).isEqualTo("https://id.example.com");
        assertThat(of(Map.of("sub", "bob")).claim("sub")).isEqualTo("bob");
        assertThat(new Identity("basic", null, null).claim("sub")).isNull();
    }

    @Test
    void copiesClaimsWithoutNulls() {
        Map<String, Object> claims = new HashMap<>();
        List<Object> roles = new ArrayList<>(Arrays.asList("a", null, "b"));
        claims.put("roles", roles);
        claims.put("none", null);
        Identity identity = of(claims);
        roles.add("c");
        claims.put("more", 1);
        assertThat(identity.claims()).isEqualTo(Map.of("roles", List.of("a", "b")));
        assertThatThrownBy(() -> identity.claims().put("x", 1)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void refusesValuesOfOtherTypesAndDeepNesting() {
        assertThatThrownBy(() -> of(Map.of("at", Instant.EPOCH)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a claim has an unsupported value of class java.time.Instant");
        Object deep = "x";
        for (int i = 0; i < 70; i++) {
            deep = List.of(deep);
        }
        Object tooDeep = deep;
        assertThatThrownBy(() -> of(Map.of("deep", tooDeep))).hasMessageContaining("nested more than 64 levels deep");
        assertThatThrownBy(() -> new Identity("", null, null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void textContainsNoClaims() {
        assertThat(of(Map.of("email", "alice@example.com")).toString())
                .isEqualTo("Identity[scheme=jwt, issuer=https://id.example.com, subject=alice]");
    }

    @Test
    void refusesResultsThatNoResponseCanHave() {
        assertThatThrownBy(() -> Authentication.refused(404, null, "x"))
                .hasMessageContaining("the status of a refused authentication is 404 (expected: 400, 401, 403 or 503)");
        assertThatThrownBy(() -> Authentication.refused(401, "a\r\nb", "x"))
                .hasMessageContaining("not a valid header field value");
        assertThatThrownBy(() -> Authentication.unknown("a\r\nb", "x"))
                .hasMessageContaining("not a valid header field value");
        assertThatThrownBy(() -> Authentication.respond(FilterOutcome.proceed()))
                .hasMessageContaining("expected: respond, redirect or fail");
    }
}
