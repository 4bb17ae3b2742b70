package dev.lychgate.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TokenRulesTest {
    private static final String ISSUER = "https://id.example.com";
    private static final String EVENT = "http://schemas.openid.net/event/backchannel-logout";

    private final TestClock clock = new TestClock();
    private final TokenRules rules = new TokenRules(TestGateway.client(ISSUER, Map.of()), clock);
    private final ProviderKeys keys = keys(new JWKSet(TestProvider.KEY.toPublicJWK()));

    private static ProviderKeys keys(JWKSet set) {
        return ProviderKeys.parse(set.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static JWSHeader.Builder header() {
        return new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("first");
    }

    private String token(Consumer<JWTClaimsSet.Builder> change) {
        JWTClaimsSet.Builder claims = TestProvider.claims(ISSUER, clock).claim("nonce", "n");
        change.accept(claims);
        return TestProvider.sign(header().build(), claims.build(), TestProvider.KEY);
    }

    private void refuses(String token, String reason) {
        refused(() -> rules.idToken(token, keys, "n"), reason);
    }

    private static void refused(ThrowingCallable verification, String reason) {
        assertThatThrownBy(verification).isInstanceOf(ProviderException.class).hasMessageContaining(reason);
    }

    private Date in(int seconds) {
        return Date.from(clock.instant().plusSeconds(seconds));
    }

    @Test
    void acceptsTheTokenOfThisLogin() {
        assertThat(rules.idToken(token(c -> {}), keys, "n")).containsEntry("sub", "alice");
        assertThat(rules.idToken(token(c -> c.audience(List.of("web", "api")).claim("azp", "web")), keys, "n"))
                .containsEntry("azp", "web");
    }

    @Test
    void refusesTokensOfOtherIssuersClientsAndLogins() {
        refuses(token(c -> c.issuer(ISSUER + "/")), "another issuer");
        refuses(token(c -> c.issuer(null)), "another issuer");
        refuses(token(c -> c.audience("api")), "another client");
        refuses(token(c -> c.audience((String) null)), "another client");
        refuses(token(c -> c.audience(List.of("web", "api"))), "another party");
        refuses(token(c -> c.claim("azp", "api")), "another party");
        refuses(token(c -> c.audience(List.of("web", "api")).claim("azp", "api")), "another party");
        refuses(token(c -> c.claim("nonce", "m")), "its nonce differs");
        refuses(token(c -> c.claim("nonce", null)), "its nonce differs");
        refuses(token(c -> c.subject(null)), "no subject");
        refuses(token(c -> c.subject("")), "no subject");
    }

    @Test
    void checksTimesWithTolerance() {
        refuses(token(c -> c.expirationTime(in(-31))), "expired");
        assertThat(rules.idToken(token(c -> c.expirationTime(in(-29))), keys, "n"))
                .isNotEmpty();
        refuses(token(c -> c.expirationTime(null)), "no exp");
        refuses(token(c -> c.issueTime(null)), "no iat");
        refuses(token(c -> c.issueTime(in(40))), "in the future");
        refuses(token(c -> c.notBeforeTime(in(40))), "not yet valid");
        refuses(token(c -> c.claim("exp", "tomorrow")), "no exp");
    }

    @Test
    void acceptsSignaturesByEd25519IfConfigured() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] encoded = pair.getPublic().getEncoded();
        Base64URL x = Base64URL.encode(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
        ProviderKeys both = keys(new JWKSet(List.of(
                TestProvider.KEY.toPublicJWK(),
                new OctetKeyPair.Builder(Curve.X25519, x).keyID("x").build(),
                new OctetKeyPair.Builder(Curve.Ed25519, x).keyID("ed").build())));
        for (String algorithm : List.of("EdDSA", "Ed25519")) {
            TokenRules listed =
                    new TokenRules(TestGateway.client(ISSUER, Map.of("algorithms", List.of(algorithm))), clock);
            JWTClaimsSet claims =
                    TestProvider.claims(ISSUER, clock).claim("nonce", "n").build();
            String token = byEd25519(pair, "ed", algorithm, claims);
            assertThat(listed.idToken(token, both, "n")).containsEntry("sub", "alice");
            refused(() -> rules.idToken(token, both, "n"), "the algorithm");
            refused(() -> listed.idToken(token, keys, "n"), "no key");
            refused(() -> listed.idToken(byEd25519(pair, "x", algorithm, claims), both, "n"), "no key");
            refused(() -> listed.idToken(token.substring(0, token.length() - 8) + "AAAAAAAA", both, "n"), "no key");
        }
    }

    private static String byEd25519(KeyPair pair, String key, String algorithm, JWTClaimsSet claims) throws Exception {
        String content = Base64URL.encode("{\"alg\":\"" + algorithm + "\",\"kid\":\"" + key + "\"}") + "."
                + Base64URL.encode(claims.toString());
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(pair.getPrivate());
        signature.update(content.getBytes(StandardCharsets.UTF_8));
        return content + "." + Base64URL.encode(signature.sign());
    }

    @Test
    void acceptsOnlyListedAlgorithmsWithKeysOfTheirType() throws Exception {
        JWTClaimsSet claims =
                TestProvider.claims(ISSUER, clock).claim("nonce", "n").build();
        refuses(new PlainJWT(claims).serialize(), "malformed");
        SignedJWT hmac = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("first").build(), claims);
        hmac.sign(new MACSigner(TestProvider.KEY.toRSAPublicKey().getEncoded()));
        refuses(hmac.serialize(), "the algorithm");
        refuses(
                TestProvider.sign(
                        new JWSHeader.Builder(JWSAlgorithm.RS512).keyID("first").build(), claims, TestProvider.KEY),
                "the algorithm");
    }

    @Test
    void refusesSignaturesOfUnknownKeysAndKeysThatTheTokenBrings() {
        JWTClaimsSet claims =
                TestProvider.claims(ISSUER, clock).claim("nonce", "n").build();
        for (JWSHeader header : List.of(
                header().build(),
                header().keyID("second").build(),
                header().jwk(TestProvider.OTHER_KEY.toPublicJWK()).build())) {
            refuses(TestProvider.sign(header, claims, TestProvider.OTHER_KEY), "no key of the provider");
        }
    }

    @Test
    void refusesTokensOfOtherTypesAndWithCriticalParameters() {
        JWTClaimsSet claims =
                TestProvider.claims(ISSUER, clock).claim("nonce", "n").build();
        for (String type : List.of("at+jwt", "logout+jwt")) {
            refuses(
                    TestProvider.sign(header().type(new JOSEObjectType(type)).build(), claims, TestProvider.KEY),
                    "the type");
        }
        refuses(
                TestProvider.sign(
                        header().criticalParams(Set.of("exp"))
                                .customParam("exp", 1)
                                .build(),
                        claims,
                        TestProvider.KEY),
                "critical");
    }

    @Test
    void refusesMalformedTokens() {
        String deep = Base64.getUrlEncoder()
                .encodeToString(("{\"alg\":\"RS256\",\"a\":" + "[".repeat(100_000)).getBytes(StandardCharsets.UTF_8));
        for (String token :
                List.of("", "a", "a.b", "a.b.c", "..", "a.b.c.d.e", deep + ".e30.AAAA", "\u00e4.\u00e4.\u00e4")) {
            refuses(token, "");
        }
        refuses("a".repeat(70_000), "too long");
    }

    @Test
    void aKeySetWithoutUsableKeysIsRefused() throws Exception {
        refused(() -> ProviderKeys.parse("{".getBytes(StandardCharsets.UTF_8)), "malformed");
        refused(() -> ProviderKeys.parse("{\"keys\":[]}".getBytes(StandardCharsets.UTF_8)), "no usable key");
        refused(
                () -> ProviderKeys.parse(
                        "{\"keys\":[{\"kty\":\"oct\",\"k\":\"c2VjcmV0\"}]}".getBytes(StandardCharsets.UTF_8)),
                "no usable key");
        refused(
                () -> keys(
                        new JWKSet(new RSAKeyGenerator(1024, true).keyID("weak").generate())),
                "no usable key");
    }

    // ---- logout tokens

    private String logout(Consumer<JWTClaimsSet.Builder> change) {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience("web")
                .jwtID("1")
                .issueTime(in(0))
                .expirationTime(in(120))
                .claim("sid", "s")
                .claim("events", Map.of(EVENT, Map.of()));
        change.accept(claims);
        return TestProvider.sign(
                header().type(new JOSEObjectType("logout+jwt")).build(), claims.build(), TestProvider.KEY);
    }

    private TokenRules.Logout verified(String token) {
        return TokenRules.verified(rules.readLogout(token), keys);
    }

    @Test
    void acceptsLogoutTokens() {
        assertThat(verified(logout(c -> {}))).isEqualTo(new TokenRules.Logout("s", null, clock.millis() / 1000));
        assertThat(verified(logout(c -> c.claim("sid", null).subject("alice"))))
                .isEqualTo(new TokenRules.Logout(null, "alice", clock.millis() / 1000));
        assertThat(verified(logout(c -> c.expirationTime(null))).session()).isEqualTo("s");
    }

    @Test
    void refusesOtherLogoutTokens() {
        Map<String, Consumer<JWTClaimsSet.Builder>> faults = Map.of(
                "another issuer", c -> c.issuer("https://evil.test"),
                "another client", c -> c.audience("api"),
                "no logout event", c -> c.claim("events", Map.of("http://other", Map.of())),
                "must not have a nonce", c -> c.claim("nonce", "n"),
                "has expired", c -> c.expirationTime(in(-31)),
                "too old", c -> c.issueTime(in(-331)),
                "no iat", c -> c.issueTime(null),
                "in the future", c -> c.issueTime(in(40)),
                "neither sid nor sub", c -> c.claim("sid", null));
        faults.forEach((reason, change) -> refused(() -> verified(logout(change)), reason));
        refused(() -> verified(logout(c -> c.claim("events", null))), "no logout event");
        refused(() -> verified(logout(c -> c.claim("events", Map.of(EVENT, "x")))), "no logout event");
        refused(() -> verified(token(c -> {})), "no logout event");
        refused(
                () -> rules.idToken(token(c -> c.claim("events", Map.of(EVENT, Map.of()))), keys, "n"),
                "not an ID token");
    }

    @Test
    void refusesLogoutTokensWithoutTheKeysByTheirFormAndLength() {
        String token = logout(c -> {});
        String unsigned = token.substring(0, token.lastIndexOf('.') + 1);
        refused(() -> rules.readLogout(unsigned), "malformed");
        refused(() -> rules.readLogout("e30." + token.split("\\.", -1)[1] + ".AA"), "malformed");
        refused(() -> rules.readLogout(logout(c -> c.claim("padding", "x".repeat(9_000)))), "too long");
        TokenRules.UnverifiedLogout forged = rules.readLogout(unsigned + "AAAA");
        refused(() -> TokenRules.verified(forged, keys), "no key of the provider verifies the signature");
    }
}
