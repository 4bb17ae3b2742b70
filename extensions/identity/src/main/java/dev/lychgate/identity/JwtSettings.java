package dev.lychgate.identity;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.http.FieldNames;
import dev.lychgate.http.FieldSyntax;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@code verify-jwt}.
 *
 * @param claimsToHeaders the names of request header fields, by the names of the claims
 */
record JwtSettings(
        String keys,
        String issuer,
        List<String> audience,
        List<String> algorithms,
        List<String> types,
        Duration clockSkew,
        List<String> requiredClaims,
        Map<String, String> claimsToHeaders,
        int order) {
    private static final String ABSENT = "absent";
    private static final Form<String> ALGORITHM = Form.words(
            List.of(
                    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "HS256", "HS384",
                    "HS512"),
            Function.identity());

    private static final Key<String> KEYS_FILE = Key.file("keys")
            .required("the path of a JWK set")
            .about("the file with the [JWK set](https://www.rfc-editor.org/rfc/rfc7517) of the issuer, relative to this"
                    + " file; a saved change takes effect like a change of the configuration");
    private static final Key<String> ISSUER =
            Key.text("issuer").required("the claim iss of accepted tokens").about("the claim `iss` of accepted tokens");
    private static final Key<List<String>> AUDIENCE = Key.typed("audience", Form.oneOrList(Form.TEXT), List.of("none"))
            .required("the name of this API as its tokens have it")
            .about("the accepted audiences: a token needs one of them in its claim `aud`");
    private static final Key<List<String>> ALGORITHMS = Key.typed(
                    "algorithms", Form.oneOrList(ALGORITHM), List.of("RS256", "PS256", "ES256"))
            .called("algorithm or list of algorithms")
            .about(
                    "the accepted algorithms of signatures: `RS256`, `PS256`, `ES256` or `HS256`, each also with 384 or 512");
    private static final Key<List<String>> TYPES = Key.typed(
                    "types", Form.oneOrList(Form.TEXT), List.of("JWT", "at+jwt", ABSENT))
            .about(
                    "the accepted types of tokens, in their header `typ` without `application/`, in any case; `absent` accepts"
                            + " tokens without it. `at+jwt` alone accepts access tokens of"
                            + " [RFC 9068](https://www.rfc-editor.org/rfc/rfc9068) only, and so no ID tokens");
    private static final Key<Duration> CLOCK_SKEW =
            Key.duration("clock-skew", "30s").atMost("5m").about("the tolerance for `exp` and `nbf`");
    private static final Key<List<String>> REQUIRED_CLAIMS = Key.typed(
                    "required-claims", Form.oneOrList(Form.TEXT), List.of("exp"))
            .about("the claims that a token must have");
    private static final Key<Map<String, String>> CLAIMS_TO_HEADERS = Key.texts("claims-to-headers", "claim")
            .about(
                    "the request fields that are set to claims, by the names of the claims; these fields of the client are"
                            + " removed first. A list is joined by blanks");

    static final Keys<JwtSettings> KEYS = Keys.of(
            JwtSettings::new,
            KEYS_FILE,
            ISSUER,
            AUDIENCE,
            ALGORITHMS,
            TYPES,
            CLOCK_SKEW,
            REQUIRED_CLAIMS,
            CLAIMS_TO_HEADERS,
            ContributedFilter.ORDER);

    JwtSettings {
        audience = List.copyOf(audience);
        algorithms = List.copyOf(algorithms);
        types = types.stream().map(JwtSettings::type).toList();
        requiredClaims = List.copyOf(requiredClaims);
        claimsToHeaders = Collections.unmodifiableMap(new LinkedHashMap<>(claimsToHeaders));
        if (audience.isEmpty()) {
            throw new ConfigException("audience", "[]", "at least one audience");
        }
        if (algorithms.isEmpty()) {
            throw new ConfigException("algorithms", "[]", "at least one algorithm");
        }
        if (types.isEmpty()) {
            throw new ConfigException("types", "[]", "at least one type");
        }
        requiredClaims.forEach(claim -> requirePlain("required-claims", claim));
        Set<String> fields = new HashSet<>();
        claimsToHeaders.forEach((claim, field) -> {
            requirePlain("claims-to-headers", claim);
            if (!fields.add(FieldNames.fold(field))) {
                throw new ConfigException("claims-to-headers", field, "each request field once, in whatever spelling");
            }
            if (!FieldSyntax.isName(field) || !FieldSyntax.isSettable(field)) {
                throw new ConfigException("claims-to-headers", field, "the name of a request field, none of framing");
            }
        });
    }

    /**
     * Returns a type in the form in which types are compared: without {@code application/}, which tokens may omit (RFC
     * 7515, 4.1.9), and in lower case, because media types are case-insensitive.
     */
    private static String type(String typ) {
        String lower = typ.toLowerCase(Locale.ROOT);
        return lower.startsWith("application/") ? lower.substring("application/".length()) : lower;
    }

    /**
     * Returns whether a token of this type is accepted.
     *
     * @param typ the type in the token's header; null if there is none
     */
    boolean acceptsType(@Nullable String typ) {
        return typ == null ? types.contains(ABSENT) : !typ.equals(ABSENT) && types.contains(type(typ));
    }

    /** Refuses a claim name that can't be quoted in a challenge. A challenge names a missing claim. */
    private static void requirePlain(String key, String claim) {
        if (claim.isEmpty() || !claim.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\')) {
            throw new ConfigException(key, claim, "names of claims in ASCII, without blanks, quotes and backslashes");
        }
    }
}
