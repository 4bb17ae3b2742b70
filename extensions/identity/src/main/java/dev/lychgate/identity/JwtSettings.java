package dev.lychgate.identity;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the authenticator {@code jwt}.
 *
 * @param keys the file of a JWK set; null for published keys
 * @param jwks the URL of a JWK set; null for a file, or for the JWK set in the issuer's discovery document
 * @param decryptionKeys the file of a JWK set of private keys; null if encrypted tokens are not accepted
 */
record JwtSettings(
        List<String> issuer,
        @Nullable String keys,
        @Nullable String jwks,
        List<String> audience,
        List<String> algorithms,
        List<String> types,
        Duration clockSkew,
        List<String> requiredClaims,
        List<TokenPlace> from,
        @Nullable String decryptionKeys,
        Duration refresh) {
    private static final String ABSENT = "absent";
    private static final Form<String> ALGORITHM = Form.words(
            List.of(
                    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
                    "HS256", "HS384", "HS512"),
            Function.identity());

    private static final Key<List<String>> ISSUER = Key.typed("issuer", Form.oneOrList(Form.TEXT), List.of("none"))
            .required("the claim iss of accepted tokens")
            .about("the accepted issuers: a token needs one of them in its claim `iss`");
    private static final Key<String> KEYS_FILE = Key.file("keys")
            .absent("published keys")
            .about("a file with the [JWK set](https://www.rfc-editor.org/rfc/rfc7517) of the issuers, as a path"
                    + " relative to the configuration file; a saved change takes effect like a change of the"
                    + " configuration");
    private static final Key<String> JWKS = Key.text("jwks")
            .absent("from the discovery document of the issuer")
            .about(
                    "the URL of the JWK set of the issuers, with `https`, or with `http` on a loopback address. Without `keys`"
                            + " and `jwks`, the URL is `jwks_uri` in `/.well-known/openid-configuration` of each issuer");
    private static final Key<List<String>> AUDIENCE = Key.typed("audience", Form.oneOrList(Form.TEXT), List.of("none"))
            .required("the name of this API, as in its tokens")
            .about("the accepted audiences: a token needs one of them in its claim `aud`");
    private static final Key<List<String>> ALGORITHMS = Key.typed(
                    "algorithms", Form.oneOrList(ALGORITHM), List.of("RS256", "PS256", "ES256"))
            .called("algorithm or list of algorithms")
            .about(
                    "the accepted algorithms of signatures: `RS256`, `PS256`, `ES256` or `HS256`, each also with 384 or 512,"
                            + " and `EdDSA` or `Ed25519`, both with keys of the curve Ed25519; `HS...` needs `keys`");
    private static final Key<List<String>> TYPES = Key.typed(
                    "types", Form.oneOrList(Form.TEXT), List.of("JWT", "at+jwt", ABSENT))
            .about("the accepted types of tokens: the value of their header `typ` without `application/`, regardless of"
                    + " case; `absent` accepts tokens without `typ`. With `at+jwt` alone, access tokens of [RFC"
                    + " 9068](https://www.rfc-editor.org/rfc/rfc9068) are accepted, but ID tokens are not");
    private static final Key<Duration> CLOCK_SKEW =
            Key.duration("clock-skew", "30s").atMost("5m").about("the tolerance for `exp` and `nbf`");
    private static final Key<List<String>> REQUIRED_CLAIMS = Key.typed(
                    "required-claims", Form.oneOrList(Form.TEXT), List.of("exp"))
            .about("the claims that a token must have");
    static final Key<List<TokenPlace>> FROM = Key.typed(
                    "from", Form.oneOrList(TokenPlace.FORM), List.of(TokenPlace.parse("bearer")))
            .called("place or list of places")
            .about(
                    "the parts of a request that may contain the token: `bearer` = `Authorization: Bearer`, `header:NAME`,"
                            + " `cookie:NAME` or `query:NAME`. The query parameter is removed from the request");
    private static final Key<String> DECRYPTION_KEYS = Key.file("decryption-keys")
            .absent("encrypted tokens are refused")
            .about("a file with a JWK set of private keys, with which encrypted tokens (JWE) are decrypted");
    private static final Key<Duration> REFRESH = Key.duration("refresh", "10m")
            .between("10s", "24h")
            .about("the age at which published keys are downloaded again; a token with an unknown key causes a download"
                    + " earlier");

    static final Keys<JwtSettings> KEYS = Keys.of(
            JwtSettings::new,
            ISSUER,
            KEYS_FILE,
            JWKS,
            AUDIENCE,
            ALGORITHMS,
            TYPES,
            CLOCK_SKEW,
            REQUIRED_CLAIMS,
            FROM,
            DECRYPTION_KEYS,
            REFRESH);

    JwtSettings {
        issuer = List.copyOf(issuer);
        audience = List.copyOf(audience);
        algorithms = List.copyOf(algorithms);
        types = types.stream().map(JwtSettings::type).toList();
        requiredClaims = List.copyOf(requiredClaims);
        from = from.stream().map(place -> place.checked("from")).toList();
        requireSome("issuer", issuer);
        requireSome("audience", audience);
        requireSome("algorithms", algorithms);
        requireSome("types", types);
        requireSome("from", from);
        requiredClaims.forEach(claim -> requirePlain("required-claims", claim));
        if (keys != null && jwks != null) {
            throw new ConfigException("jwks", jwks, "either keys or jwks");
        }
        if (keys == null && algorithms.stream().anyMatch(algorithm -> algorithm.startsWith("HS"))) {
            throw new ConfigException(
                    "algorithms",
                    algorithms,
                    "an HS algorithm only together with keys, because a secret in a "
                            + "published JWK set is not secret");
        }
        if (keys == null) {
            requireAddresses(issuer, jwks);
        }
    }

    private static void requireAddresses(List<String> issuer, @Nullable String jwks) {
        if (jwks != null) {
            requireAddress("jwks", jwks);
        } else {
            issuer.forEach(each -> requireAddress("issuer", each));
        }
    }

    private static void requireAddress(String key, String text) {
        try {
            Documents.permitted(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(key, text, e.getMessage() + ", or the key 'keys' instead");
        }
    }

    private static void requireSome(String key, List<?> list) {
        if (list.isEmpty()) {
            throw new ConfigException(key, "[]", "at least one");
        }
    }

    /**
     * Returns a type in the form in which types are compared. The form omits {@code application/}, because tokens may
     * omit it (RFC 7515, 4.1.9). It is in lower case, because media types are case-insensitive.
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

    /**
     * Refuses a claim name that can't be quoted in a challenge, because a challenge quotes the name of a missing claim.
     */
    private static void requirePlain(String key, String claim) {
        if (claim.isEmpty() || !claim.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\')) {
            throw new ConfigException(key, claim, "names of claims in ASCII, without blanks, quotes and backslashes");
        }
    }
}
