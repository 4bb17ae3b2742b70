package dev.lychgate.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.util.Base64URL;
import dev.lychgate.filter.Identity;
import dev.lychgate.http.Json;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens. Keys and algorithms come only from the settings: key parameters in the header of a token ({@code
 * jwk}, {@code jku}, {@code x5u}, {@code x5c}) are not used.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8725">RFC 8725, JSON Web Token Best Current Practices</a>
 */
final class TokenVerifier {
    /** The longest time for which the verdict on an accepted token is valid, in milliseconds. */
    static final long LONGEST_MEMORY = Duration.ofMinutes(5).toMillis();

    static final Verdict MALFORMED = new Verdict.Refused("the token is malformed");

    private static final String SCHEME = "jwt";

    private final JwtSettings settings;
    private final @Nullable TokenDecrypter decrypter;
    private final Clock clock;

    /** @throws dev.lychgate.config.ConfigException if the keys for encrypted tokens cannot be used */
    TokenVerifier(JwtSettings settings, Clock clock) {
        this.settings = settings;
        this.decrypter = settings.decryptionKeys() == null ? null : TokenDecrypter.read(settings.decryptionKeys());
        this.clock = clock;
    }

    /**
     * A token before its signature is verified. Its claims must only be used to find the keys of its issuer.
     *
     * @param issuer the claim {@code iss}, one of the accepted issuers
     */
    record Parsed(JWSObject token, Map<?, ?> claims, String issuer) {
        /** Returns the id of the key that the token names; null if it names none. */
        @Nullable
        String keyId() {
            return token.getHeader().getKeyID();
        }
    }

    /**
     * The result of {@link #parse}.
     *
     * @param parsed null if there is a verdict
     * @param verdict null if the token is parsed
     */
    record Reading(@Nullable Parsed parsed, @Nullable Verdict verdict) {}

    /**
     * Reads a token, decrypts it, and checks its header and its issuer. May take milliseconds, so it must not be called
     * on an event loop.
     */
    Reading parse(String token) {
        try {
            String signed = isEncrypted(token) ? decrypted(token) : token;
            if (signed == null) {
                return new Reading(null, new Verdict.Refused("the token cannot be decrypted"));
            }
            JWSObject parsed = JWSObject.parse(signed);
            // Rejects a header with repeated members, because parsers differ in the member that they choose.
            Json.read(parsed.getHeader().toBase64URL().decode());
            String refused = refusal(parsed.getHeader());
            if (refused != null) {
                return new Reading(null, new Verdict.Refused(refused));
            }
            if (!(Json.read(parsed.getPayload().toBytes()) instanceof Map<?, ?> claims)) {
                return new Reading(null, MALFORMED);
            }
            Object issuer = claims.get("iss");
            return issuer instanceof String name && settings.issuer().contains(name)
                    ? new Reading(new Parsed(parsed, claims, name), null)
                    : new Reading(null, new Verdict.Foreign("the issuer is not accepted"));
        } catch (ParseException | RuntimeException | StackOverflowError e) {
            return new Reading(null, MALFORMED);
        }
    }

    /** Returns whether a token has the five parts of an encrypted token. */
    static boolean isEncrypted(String token) {
        return token.chars().filter(c -> c == '.').count() == 4;
    }

    private @Nullable String decrypted(String token) {
        return decrypter == null ? null : decrypter.decrypt(token);
    }

    /** Returns the reason why a header is rejected; null if it is accepted. */
    private @Nullable String refusal(JWSHeader header) {
        if (!settings.algorithms().contains(header.getAlgorithm().getName())) {
            return "the algorithm is not accepted";
        }
        if (!settings.acceptsType(
                header.getType() == null ? null : header.getType().getType())) {
            return "the type of token is not accepted";
        }
        return header.getCriticalParams() != null || !header.isBase64URLEncodePayload()
                ? "the header has a critical parameter that is not supported"
                : null;
    }

    /** Verifies the signature, then the claims. May take milliseconds, so it must not be called on an event loop. */
    Verdict verify(Parsed token, TokenKeys keys) {
        try {
            Verdict refused = signature(token.token(), keys);
            return refused == null ? ofClaims(token) : refused;
        } catch (JOSEException | RuntimeException | StackOverflowError e) {
            return MALFORMED;
        }
    }

    /** Returns the verdict if the signature is not accepted; null if the signature is accepted. */
    private static @Nullable Verdict signature(JWSObject token, TokenKeys keys) throws JOSEException {
        JWSHeader header = token.getHeader();
        List<JWSVerifier> candidates = keys.of(header.getKeyID(), header.getAlgorithm());
        for (JWSVerifier candidate : candidates) {
            if (candidate.verify(header, token.getSigningInput(), token.getSignature())) {
                // A signature with unused bits in its last character is rejected, because one token would otherwise
                // have several spellings.
                Base64URL signature = token.getSignature();
                return Base64URL.encode(signature.decode()).equals(signature)
                        ? null
                        : new Verdict.Refused("the signature is invalid");
            }
        }
        if (!candidates.isEmpty()) {
            return new Verdict.Refused("the signature is invalid");
        }
        return keys.knows(header.getKeyID()) ? new Verdict.Refused("the key is unknown") : new Verdict.UnknownKey();
    }

    private Verdict ofClaims(Parsed token) {
        Map<?, ?> claims = token.claims();
        for (String required : settings.requiredClaims()) {
            if (claims.get(required) == null) {
                return new Verdict.Refused("the claim " + required + " is missing");
            }
        }
        if (!isForUs(claims.get("aud"))) {
            return new Verdict.Refused("the audience is not accepted");
        }
        double now = clock.millis() / 1000.0;
        double skew = settings.clockSkew().toMillis() / 1000.0;
        Object end = claims.get("exp");
        Object begin = claims.get("nbf");
        Object subject = claims.get("sub");
        if ((end != null && !(end instanceof Number))
                || (begin != null && !(begin instanceof Number))
                || (subject != null && !(subject instanceof String))) {
            return MALFORMED;
        }
        if (end instanceof Number exp && exp.doubleValue() + skew <= now) {
            return new Verdict.Refused("the token has expired");
        }
        if (begin instanceof Number nbf && nbf.doubleValue() - skew > now) {
            return new Verdict.Refused("the token is not yet valid");
        }
        double until = end instanceof Number exp ? exp.doubleValue() + skew : Double.MAX_VALUE;
        return new Verdict.Accepted(
                (long) Math.min(until * 1000, (double) (clock.millis() + LONGEST_MEMORY)),
                new Identity(SCHEME, token.issuer(), (String) subject, Claims.of(claims)));
    }

    private boolean isForUs(@Nullable Object audience) {
        return audience instanceof Collection<?> several
                ? several.stream().anyMatch(settings.audience()::contains)
                : audience != null && settings.audience().contains(audience);
    }
}
