package dev.lychgate.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.PlainValues;
import dev.lychgate.filter.Identity;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accepted and rejected tokens, with the attacks of RFC 8725. */
@Tag("slow")
class TokenVerifierTest {
    @TempDir
    Path home = Path.of("");

    private Path keys = Path.of("");

    @BeforeEach
    void writeKeys() throws Exception {
        keys = Issuer.writeKeys(home.resolve("keys.json"));
    }

    private JwtSettings settings(List<String> algorithms, List<String> required) {
        return settings(algorithms, List.of("JWT", "at+jwt", "absent"), required);
    }

    private JwtSettings settings(List<String> algorithms, List<String> types, List<String> required) {
        return new JwtSettings(
                List.of(Issuer.NAME),
                keys.toString(),
                null,
                List.of("api", "web"),
                algorithms,
                types,
                Duration.ofSeconds(30),
                required,
                List.of(TokenPlace.parse("bearer")),
                null,
                Duration.ofMinutes(10));
    }

    /** A verifier with the keys of a file. */
    private record Verifying(TokenVerifier verifier, TokenKeys keys) {
        static Verifying of(JwtSettings settings, Clock clock) {
            return new Verifying(
                    new TokenVerifier(settings, clock),
                    TokenKeys.read(String.valueOf(settings.keys()), settings.algorithms()));
        }

        Verdict verify(String token) {
            TokenVerifier.Reading reading = verifier.parse(token);
            return reading.parsed() == null
                    ? Objects.requireNonNull(reading.verdict())
                    : verifier.verify(reading.parsed(), keys);
        }
    }

    private Verifying verifier(String... algorithms) {
        return Verifying.of(settings(List.of(algorithms), List.of("exp")), Clock.systemUTC());
    }

    private static String refusal(Verdict verdict) {
        if (verdict instanceof Verdict.Refused refused) {
            return refused.description();
        }
        return verdict instanceof Verdict.Foreign foreign
                ? foreign.description()
                : verdict instanceof Verdict.UnknownKey ? "the key is unknown" : "accepted";
    }

    /** The description, or {@code accepted}. */
    private String rs256(String token) {
        return refusal(verifier("RS256").verify(token));
    }

    private static String part(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(UTF_8));
    }

    @Test
    void acceptsSignaturesOfEachFamily() {
        JWTClaimsSet claims = Issuer.claims().build();
        Verifying verifier = verifier("RS256", "PS384", "ES256", "HS256");
        for (String token : List.of(
                Issuer.rs256(claims),
                Issuer.sign(Issuer.header(JWSAlgorithm.PS384, "rsa"), claims, Issuer.signer(Issuer.RSA)),
                Issuer.sign(Issuer.header(JWSAlgorithm.ES256, "ec"), claims, Issuer.signer(Issuer.EC)),
                Issuer.sign(
                        Issuer.header(JWSAlgorithm.HS256, "secret"),
                        claims,
                        Issuer.signer(Issuer.SECRET.toByteArray())),
                Issuer.sign(new JWSHeader(JWSAlgorithm.RS256), claims, Issuer.signer(Issuer.RSA)))) {
            assertThat(verifier.verify(token))
                    .isInstanceOfSatisfying(
                            Verdict.Accepted.class,
                            accepted ->
                                    assertThat(accepted.identity().subject()).isEqualTo("alice"));
        }
    }

    @Test
    void refusesTheAlgorithmNone() {
        String claims = part("{\"iss\":\"https://id.example.com\",\"aud\":\"api\",\"exp\":9999999999}");
        for (String none : List.of("none", "None", "nOnE")) {
            assertThat(rs256(part("{\"alg\":\"" + none + "\"}") + "." + claims + "."))
                    .isNotEqualTo("accepted");
            assertThat(rs256(part("{\"alg\":\"" + none + "\"}") + "." + claims + ".AAAA"))
                    .isNotEqualTo("accepted");
        }
    }

    @Test
    void refusesAnAlgorithmThatIsNotListed() {
        String token = Issuer.sign(
                Issuer.header(JWSAlgorithm.RS512, "rsa"), Issuer.claims().build(), Issuer.signer(Issuer.RSA));
        assertThat(rs256(token)).isEqualTo("the algorithm is not accepted");
    }

    private static String ofType(@Nullable String type) {
        JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa");
        if (type != null) {
            header.type(new JOSEObjectType(type));
        }
        return Issuer.sign(header.build(), Issuer.claims().build(), Issuer.signer(Issuer.RSA));
    }

    @Test
    void refusesTokensForOtherPurposesByTheirType() {
        for (String type : Arrays.asList(null, "JWT", "jwt", "at+jwt", "application/at+jwt")) {
            assertThat(rs256(ofType(type))).as("%s", type).isEqualTo("accepted");
        }
        for (String type : List.of("logout+jwt", "dpop+jwt", "secevent+jwt", "absent", "")) {
            assertThat(rs256(ofType(type))).as(type).isEqualTo("the type of token is not accepted");
        }
    }

    @Test
    void acceptsOnlyAccessTokensIfSettingsSaySo() {
        Verifying verifier = Verifying.of(
                settings(List.of("RS256"), List.of("application/AT+JWT"), List.of("exp")), Clock.systemUTC());
        assertThat(refusal(verifier.verify(ofType("at+jwt")))).isEqualTo("accepted");
        for (String type : Arrays.asList(null, "JWT")) {
            assertThat(refusal(verifier.verify(ofType(type)))).isEqualTo("the type of token is not accepted");
        }
    }

    @Test
    void neverUsesAPublicKeyAsASharedSecret() throws Exception {
        for (byte[] secret : List.of(
                Issuer.RSA.toRSAPublicKey().getEncoded(),
                Issuer.RSA.toPublicJWK().toJSONString().getBytes(UTF_8),
                Issuer.RSA.getModulus().decode())) {
            String token = Issuer.sign(
                    Issuer.header(JWSAlgorithm.HS256, "rsa"), Issuer.claims().build(), Issuer.signer(secret));
            assertThat(refusal(verifier("RS256", "HS256").verify(token))).isEqualTo("the key is unknown");
        }
    }

    @Test
    void refusesASignatureOfAnotherKeyOrCurve() {
        JWTClaimsSet claims = Issuer.claims().build();
        assertThat(rs256(
                        Issuer.sign(Issuer.header(JWSAlgorithm.RS256, "rsa"), claims, Issuer.signer(Issuer.OTHER_RSA))))
                .isEqualTo("the signature is invalid");
        String other = Issuer.sign(
                Issuer.header(JWSAlgorithm.ES384, "ec"), claims, Issuer.signer(Issuer.ec(Curve.P_384, "ec")));
        assertThat(refusal(verifier("ES256", "ES384").verify(other))).isEqualTo("the key is unknown");
        String token = Issuer.rs256(claims);
        String[] parts = token.split("\\.", -1);
        assertThat(rs256(parts[0] + "." + part("{\"iss\":\"https://id.example.com\",\"sub\":\"root\"}") + "."
                        + parts[2]))
                .isEqualTo("the signature is invalid");
        assertThat(rs256(token.substring(0, token.length() - 4))).isEqualTo("the signature is invalid");
    }

    /** CVE-2022-21449: a signature of zeros. */
    @Test
    void refusesAnEmptySignatureOfACurve() {
        String token = Issuer.sign(
                Issuer.header(JWSAlgorithm.ES256, "ec"), Issuer.claims().build(), Issuer.signer(Issuer.EC));
        String zeros = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[64]);
        assertThat(refusal(verifier("ES256").verify(token.substring(0, token.lastIndexOf('.') + 1) + zeros)))
                .isNotEqualTo("accepted");
    }

    @Test
    void refusesCriticalParameters() {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                .keyID("rsa")
                .criticalParams(Set.of("exp"))
                .customParam("exp", 1)
                .build();
        assertThat(rs256(Issuer.sign(header, Issuer.claims().build(), Issuer.signer(Issuer.RSA))))
                .isEqualTo("the header has a critical parameter that is not supported");
    }

    @Test
    void usesNoKeyThatTheTokenBringsOrNames() {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                .jwk(Issuer.OTHER_RSA.toPublicJWK())
                .jwkURL(URI.create("http://127.0.0.1:1/keys"))
                .x509CertURL(URI.create("http://127.0.0.1:1/cert"))
                .build();
        JWTClaimsSet claims = Issuer.claims().build();
        assertThat(rs256(Issuer.sign(header, claims, Issuer.signer(Issuer.OTHER_RSA))))
                .isEqualTo("the signature is invalid");
        assertThat(rs256(Issuer.sign(header, claims, Issuer.signer(Issuer.RSA))))
                .isEqualTo("accepted");
        assertThat(rs256(Issuer.sign(
                        Issuer.header(JWSAlgorithm.RS256, "../../etc/passwd"), claims, Issuer.signer(Issuer.RSA))))
                .isEqualTo("the key is unknown");
    }

    @Test
    void checksTimesWithTolerance() {
        Instant now = Instant.now();
        assertThat(rs256(Issuer.token(c -> c.expirationTime(Date.from(now.minusSeconds(31))))))
                .isEqualTo("the token has expired");
        assertThat(rs256(Issuer.token(c -> c.expirationTime(Date.from(now.minusSeconds(15))))))
                .isEqualTo("accepted");
        assertThat(rs256(Issuer.token(c -> c.notBeforeTime(Date.from(now.plusSeconds(60))))))
                .isEqualTo("the token is not yet valid");
        assertThat(rs256(Issuer.token(c -> c.notBeforeTime(Date.from(now.plusSeconds(15))))))
                .isEqualTo("accepted");
        assertThat(rs256(Issuer.token(c -> c.expirationTime(null)))).isEqualTo("the claim exp is missing");
        assertThat(rs256(Issuer.token(c -> c.claim("exp", "tomorrow")))).isEqualTo("the token is malformed");
    }

    @Test
    void checksIssuerAudienceAndRequiredClaims() {
        assertThat(rs256(Issuer.token(c -> c.issuer("https://id.example.com.evil.test"))))
                .isEqualTo("the issuer is not accepted");
        assertThat(rs256(Issuer.token(c -> c.issuer(null)))).isEqualTo("the issuer is not accepted");
        assertThat(rs256(Issuer.token(c -> c.audience("other")))).isEqualTo("the audience is not accepted");
        assertThat(rs256(Issuer.token(c -> c.audience((String) null)))).isEqualTo("the audience is not accepted");
        assertThat(rs256(Issuer.token(c -> c.audience(List.of("other", "web")))))
                .isEqualTo("accepted");
        Verifying strict = Verifying.of(settings(List.of("RS256"), List.of("exp", "jti")), Clock.systemUTC());
        assertThat(refusal(strict.verify(Issuer.token(c -> {})))).isEqualTo("the claim jti is missing");
    }

    @Test
    void theIdentityHasTheClaims() {
        Verdict verdict = verifier("RS256")
                .verify(Issuer.token(c -> c.claim("realm_access", Map.of("roles", List.of("a", "b")))
                        .claim("n", 7)));
        assertThat(verdict).isInstanceOfSatisfying(Verdict.Accepted.class, accepted -> {
            Identity identity = accepted.identity();
            assertThat(identity.scheme()).isEqualTo("jwt");
            assertThat(identity.issuer()).isEqualTo(Issuer.NAME);
            assertThat(identity.claim("realm_access.roles")).isEqualTo(List.of("a", "b"));
            assertThat(identity.claim("n")).isEqualTo(7L);
        });
    }

    /** RFC 7515, A.1 and A.3: the signatures are valid, and the tokens have no audience. */
    @Test
    void verifiesTheExamplesOfTheStandard() throws Exception {
        Files.writeString(keys, """
                {"keys":[
                 {"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"},
                 {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                  "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
                """);
        String claims =
                ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.";
        String hs256 =
                "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9" + claims + "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        String es256 = "eyJhbGciOiJFUzI1NiJ9" + claims
                + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
        JwtSettings settings = new JwtSettings(
                List.of("joe"),
                keys.toString(),
                null,
                List.of("api"),
                List.of("ES256", "HS256"),
                List.of("JWT", "absent"),
                Duration.ZERO,
                List.of(),
                List.of(TokenPlace.parse("bearer")),
                null,
                Duration.ofMinutes(10));
        Verifying verifier = Verifying.of(settings, Clock.systemUTC());
        for (String token : List.of(hs256, es256)) {
            assertThat(refusal(verifier.verify(token))).isEqualTo("the audience is not accepted");
            int at = token.lastIndexOf('.') + 5;
            char other = token.charAt(at) == 'A' ? 'B' : 'A';
            assertThat(refusal(verifier.verify(token.substring(0, at) + other + token.substring(at + 1))))
                    .isEqualTo("the signature is invalid");
        }
    }

    /** A signature of a curve has the two numbers alone; other encodings would be other spellings. */
    @Test
    void refusesSignaturesInAnotherEncoding() throws Exception {
        String token = Issuer.sign(
                Issuer.header(JWSAlgorithm.ES256, "ec"), Issuer.claims().build(), Issuer.signer(Issuer.EC));
        String content = token.substring(0, token.lastIndexOf('.'));
        Signature ecdsa = Signature.getInstance("SHA256withECDSA");
        ecdsa.initSign(Issuer.EC.toPrivateKey());
        ecdsa.update(content.getBytes(UTF_8));
        String der = Base64.getUrlEncoder().withoutPadding().encodeToString(ecdsa.sign());
        assertThat(refusal(verifier("ES256").verify(content + "." + der))).isNotEqualTo("accepted");
        assertThat(refusal(verifier("ES256").verify(token))).isEqualTo("accepted");
        assertThat(refusal(verifier("ES256").verify(content + "."))).isNotEqualTo("accepted");
    }

    /** Readers differ in which of two members they choose. */
    @Test
    void refusesRepeatedMembers() throws Exception {
        String header = part("{\"alg\":\"RS256\",\"kid\":\"rsa\"}");
        String twice = part(
                "{\"iss\":\"https://id.example.com\",\"aud\":\"api\",\"exp\":9999999999,\"sub\":\"a\",\"sub\":\"root\"}");
        assertThat(rs256(signed(header, twice))).isEqualTo("the token is malformed");
        String headerTwice = part("{\"alg\":\"none\",\"alg\":\"RS256\",\"kid\":\"rsa\"}");
        String claims = part("{\"iss\":\"https://id.example.com\",\"aud\":\"api\",\"exp\":9999999999}");
        assertThat(rs256(signed(headerTwice, claims))).isEqualTo("the token is malformed");
        assertThat(rs256(signed(header, claims))).isEqualTo("accepted");
    }

    private static String signed(String header, String claims) throws Exception {
        Signature rsa = Signature.getInstance("SHA256withRSA");
        rsa.initSign(Issuer.RSA.toPrivateKey());
        rsa.update((header + "." + claims).getBytes(UTF_8));
        return header + "." + claims + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(rsa.sign());
    }

    @Test
    void acceptsOneSpellingOfASignature() {
        String token = Issuer.token(c -> {});
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        int last = alphabet.indexOf(token.charAt(token.length() - 1));
        String other = token.substring(0, token.length() - 1) + alphabet.charAt(last ^ 1);
        assertThat(rs256(token)).isEqualTo("accepted");
        assertThat(rs256(other)).isEqualTo("the signature is invalid");
        for (String wrong : List.of("a.b", "a.b.c.d", token + "~", token.replaceFirst("\\.", ".!"), token + " x")) {
            assertThat(JwtAuthenticator.isCompact(wrong)).as(wrong).isFalse();
        }
        assertThat(JwtAuthenticator.isCompact(token)).isTrue();
    }

    @Test
    void refusesClaimsThatNoChallengeCanName() {
        assertThatThrownBy(() -> settings(List.of("RS256"), List.of("a\"b")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("names of claims in ASCII");
    }

    @Test
    void refusesMalformedTokens() {
        String deep = part("{\"alg\":\"RS256\"}") + "." + part("{\"a\":" + "[".repeat(100_000)) + ".AAAA";
        String deepHeader = part("{\"alg\":\"RS256\",\"a\":" + "[".repeat(100_000)) + ".e30.AAAA";
        for (String token : List.of("", "a", "a.b", "a.b.c", "..", "\u00e4.\u00e4.\u00e4", deepHeader)) {
            assertThat(rs256(token))
                    .as(token.substring(0, Math.min(20, token.length())))
                    .isEqualTo("the token is malformed");
        }
        assertThat(rs256(deep)).isNotEqualTo("accepted");
        assertThat(rs256("a.b.c.d.e")).isEqualTo("the token cannot be decrypted");
    }

    @Test
    void anAcceptedTokenIsRememberedNoLongerThanItIsValid() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        Verifying verifier = Verifying.of(settings(List.of("RS256"), List.of()), Clock.fixed(now, ZoneOffset.UTC));
        assertThat(until(verifier, now.plusSeconds(100))).isEqualTo(now.plusSeconds(130));
        assertThat(until(verifier, now.plusSeconds(10_000))).isEqualTo(now.plusSeconds(300));
        assertThat(until(verifier, null)).isEqualTo(now.plusSeconds(300));
    }

    private static Instant until(Verifying verifier, @Nullable Instant end) {
        Verdict verdict = verifier.verify(Issuer.token(c -> c.expirationTime(end == null ? null : Date.from(end))));
        return Instant.ofEpochMilli(((Verdict.Accepted) verdict).until());
    }

    @Test
    void refusesKeysThatCannotBeUsed() throws Exception {
        RSAKey weak = Issuer.rsa(1024, "weak");
        RSAKey encryption =
                new RSAKey.Builder(Issuer.RSA).keyUse(KeyUse.ENCRYPTION).build();
        refused("{", "a JWK set: ");
        refused("{\"keys\":[]}", "a JWK set with a key for one of RS256");
        refused(new JWKSet(weak.toPublicJWK()).toString(), "RSA keys of at least 2048 bits; key weak has 1024 bits");
        refused(new JWKSet(encryption.toPublicJWK()).toString(), "a JWK set with a key for one of RS256");
        refused(new JWKSet(Issuer.EC.toPublicJWK()).toString(), "a JWK set with a key for one of RS256");
        refused(new JWKSet(Issuer.RSA).toString(false), "public keys; key rsa is a private key");
        refused(
                new JWKSet(new OctetSequenceKey.Builder(new byte[8])
                                .keyID("short")
                                .build())
                        .toString(false),
                "keys that can be used; key short: ");
        Files.delete(keys);
        assertThatThrownBy(() -> verifier("RS256"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a file that can be read: ");
    }

    private void refused(String content, String expected) throws Exception {
        Files.writeString(keys, content);
        assertThatThrownBy(() -> verifier("RS256"))
                .as(content)
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("keys: " + keys)
                .hasMessageContaining(expected);
    }

    @Test
    void forgetsTheOldestHalfOfTheRememberedTokens() {
        VerifiedTokens tokens = new VerifiedTokens(4);
        Verdict.Accepted verdict = new Verdict.Accepted(100, new Identity("jwt", null, "alice"));
        List<VerifiedTokens.Digest> digests = List.of("a", "b", "c", "d", "e").stream()
                .map(VerifiedTokens.Digest::of)
                .toList();
        digests.forEach(digest -> tokens.add(digest, verdict, tokens.epoch()));

        assertThat(digests.stream().map(digest -> tokens.find(digest, 99) != null))
                .containsExactly(false, false, true, true, true);
        assertThat(tokens.find(digests.get(4), 100)).as("expired").isNull();
        assertThat(new VerifiedTokens(0).isEnabled()).isFalse();
        VerifiedTokens.Epoch before = tokens.epoch();
        tokens.clear();
        assertThat(digests.stream().map(digest -> tokens.find(digest, 99))).containsOnlyNulls();
        tokens.add(digests.get(0), verdict, before);
        assertThat(tokens.find(digests.get(0), 99))
                .as("verified by keys that may have been revoked meanwhile")
                .isNull();
    }

    /** RFC 8037, A.4. */
    @Test
    void verifiesTheSignatureOfTheStandardByEd25519() throws Exception {
        OctetKeyPair key = OctetKeyPair.parse(
                "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}");
        JWSObject signed = JWSObject.parse("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
                + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg");
        Ed25519Verifier verifier = new Ed25519Verifier(key);
        assertThat(verifier.verify(signed.getHeader(), signed.getSigningInput(), signed.getSignature()))
                .isTrue();
        byte[] signature = signed.getSignature().decode();
        for (int i : List.of(0, 31, 32, 63)) {
            byte[] other = signature.clone();
            other[i] ^= 1;
            assertThat(verifier.verify(signed.getHeader(), signed.getSigningInput(), Base64URL.encode(other)))
                    .as("byte %s", i)
                    .isFalse();
        }
        for (int length : List.of(0, 63, 65)) {
            Base64URL other = Base64URL.encode(Arrays.copyOf(signature, length));
            assertThat(verifier.verify(signed.getHeader(), signed.getSigningInput(), other))
                    .as("%s bytes", length)
                    .isFalse();
        }
        // S + L is the same number modulo L, but only S itself is accepted (RFC 8032, 5.1.7).
        assertThat(verifier.verify(
                        signed.getHeader(), signed.getSigningInput(), Base64URL.encode(plusOrder(signature))))
                .isFalse();
    }

    private static byte[] plusOrder(byte[] signature) {
        BigInteger order = BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
        byte[] reversed = new byte[32];
        for (int i = 0; i < 32; i++) {
            reversed[i] = signature[63 - i];
        }
        byte[] sum = new BigInteger(1, reversed).add(order).toByteArray();
        byte[] changed = signature.clone();
        for (int i = 0; i < 32; i++) {
            changed[32 + i] = i < sum.length ? sum[sum.length - 1 - i] : 0;
        }
        return changed;
    }

    @Test
    void acceptsTokensByEd25519UnderBothNamesWithAKeyOfThisCurveAlone() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] encoded = pair.getPublic().getEncoded();
        Base64URL x = Base64URL.encode(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
        OctetKeyPair key =
                new OctetKeyPair.Builder(Curve.Ed25519, x).keyID("ed").build();
        OctetKeyPair agreement =
                new OctetKeyPair.Builder(Curve.X25519, x).keyID("x").build();
        Files.writeString(keys, new JWKSet(List.of(agreement, key, Issuer.EC.toPublicJWK())).toString());
        String claims =
                part("{\"iss\":\"https://id.example.com\",\"aud\":\"api\",\"exp\":9999999999,\"sub\":\"alice\"}");
        for (String algorithm : List.of("EdDSA", "Ed25519")) {
            String token = byEd25519("{\"alg\":\"" + algorithm + "\",\"kid\":\"ed\"}", claims, pair);
            assertThat(refusal(verifier(algorithm).verify(token))).isEqualTo("accepted");
            assertThat(refusal(verifier("ES256").verify(token))).isEqualTo("the algorithm is not accepted");
            String[] parts = token.split("\\.", -1);
            assertThat(refusal(verifier(algorithm)
                            .verify(parts[0] + "." + part("{\"iss\":\"https://id.example.com\"}") + "." + parts[2])))
                    .isEqualTo("the signature is invalid");
        }
        String other = byEd25519("{\"alg\":\"EdDSA\",\"kid\":\"ec\"}", claims, pair);
        assertThat(refusal(verifier("EdDSA").verify(other))).as("an EC key").isEqualTo("the key is unknown");
        String ofAgreement = byEd25519("{\"alg\":\"EdDSA\",\"kid\":\"x\"}", claims, pair);
        assertThat(refusal(verifier("EdDSA").verify(ofAgreement)))
                .as("a key for another purpose")
                .isEqualTo("the key is unknown");
        assertThatThrownBy(() -> Verifying.of(
                        JwtSettings.KEYS.read(PlainValues.of(Map.of(
                                "issuer",
                                List.of(Issuer.NAME),
                                "keys",
                                keys.toString(),
                                "audience",
                                List.of("api"),
                                "algorithms",
                                List.of("Ed448")))),
                        Clock.systemUTC()))
                .as("another curve")
                .hasMessageContaining("ES512, EdDSA, Ed25519, HS256");
        Files.writeString(
                keys,
                new JWKSet(new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(new byte[31]))
                                .keyID("short")
                                .build())
                        .toString());
        assertThatThrownBy(() -> verifier("EdDSA")).hasMessageContaining("keys that can be used; key short: ");
    }

    private static String byEd25519(String header, String claims, KeyPair pair) throws Exception {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(pair.getPrivate());
        String content = part(header) + "." + claims;
        signature.update(content.getBytes(UTF_8));
        return content + "." + Base64URL.encode(signature.sign());
    }
}
