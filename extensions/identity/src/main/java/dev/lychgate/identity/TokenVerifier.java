package dev.lychgate.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.util.Base64URL;
import dev.lychgate.http.FieldSyntax;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens. Keys and algorithms come only from the settings: key parameters in the header of a token ({@code
 * jwk}, {@code jku}, {@code x5u}, {@code x5c}) are not used, and nothing is downloaded.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8725">RFC 8725, JSON Web Token Best Current Practices</a>
 */
final class TokenVerifier {
    /** The longest time for which the verdict on an accepted token is valid, in milliseconds. */
    private static final long LONGEST_MEMORY = Duration.ofMinutes(5).toMillis();

    private static final Verdict MALFORMED = new Verdict.Refused("the token is malformed");

    private final JwtSettings settings;
    private final TokenKeys keys;
    private final Clock clock;

    /** @throws dev.lychgate.config.ConfigException if the keys cannot be used */
    TokenVerifier(JwtSettings settings, Clock clock) {
        this.settings = settings;
        this.keys = TokenKeys.read(settings.keys(), settings.algorithms());
        this.clock = clock;
    }

    /**
     * Verifies a token: the signature first, then the claims. May take milliseconds, so it must not be called on an
     * event loop.
     */
    Verdict verify(String token) {
        try {
            JWSObject parsed = JWSObject.parse(token);
            String refused = refusal(parsed);
            if (refused != null) {
                return new Verdict.Refused(refused);
            }
            Map<String, Object> claims = parsed.getPayload().toJSONObject();
            return claims == null ? MALFORMED : ofClaims(claims);
        } catch (ParseException | JOSEException | RuntimeException | StackOverflowError e) {
            return MALFORMED;
        }
    }

    /** Returns the reason why the header or the signature is rejected; null if both are accepted. */
    private @Nullable String refusal(JWSObject token) throws JOSEException {
        JWSHeader header = token.getHeader();
        if (!settings.algorithms().contains(header.getAlgorithm().getName())) {
            return "the algorithm is not accepted";
        }
        if (!settings.acceptsType(
                header.getType() == null ? null : header.getType().getType())) {
            return "the type of token is not accepted";
        }
        if (header.getCriticalParams() != null || !header.isBase64URLEncodePayload()) {
            return "the header has a critical parameter that is not supported";
        }
        List<JWSVerifier> candidates = keys.of(header.getKeyID(), header.getAlgorithm());
        for (JWSVerifier candidate : candidates) {
            if (candidate.verify(header, token.getSigningInput(), token.getSignature())) {
                // A signature with unused bits in its last character is rejected, because one token would otherwise
                // have several spellings.
                Base64URL signature = token.getSignature();
                return Base64URL.encode(signature.decode()).equals(signature) ? null : "the signature is invalid";
            }
        }
        return candidates.isEmpty() ? "the key is unknown" : "the signature is invalid";
    }

    private Verdict ofClaims(Map<String, Object> claims) {
        for (String required : settings.requiredClaims()) {
            if (claims.get(required) == null) {
                return new Verdict.Refused("the claim " + required + " is missing");
            }
        }
        if (!settings.issuer().equals(claims.get("iss"))) {
            return new Verdict.Refused("the issuer is not accepted");
        }
        if (!isForUs(claims.get("aud"))) {
            return new Verdict.Refused("the audience is not accepted");
        }
        double now = clock.millis() / 1000.0;
        double skew = settings.clockSkew().toMillis() / 1000.0;
        Object end = claims.get("exp");
        Object begin = claims.get("nbf");
        if ((end != null && !(end instanceof Number)) || (begin != null && !(begin instanceof Number))) {
            return MALFORMED;
        }
        if (end instanceof Number exp && exp.doubleValue() + skew <= now) {
            return new Verdict.Refused("the token has expired");
        }
        if (begin instanceof Number nbf && nbf.doubleValue() - skew > now) {
            return new Verdict.Refused("the token is not yet valid");
        }
        return accepted(claims, end instanceof Number exp ? exp.doubleValue() + skew : Double.MAX_VALUE);
    }

    private boolean isForUs(@Nullable Object audience) {
        return audience instanceof Collection<?> several
                ? several.stream().anyMatch(settings.audience()::contains)
                : audience != null && settings.audience().contains(audience);
    }

    private Verdict accepted(Map<String, Object> claims, double end) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (Map.Entry<String, String> mapping : settings.claimsToHeaders().entrySet()) {
            Object claim = claims.get(mapping.getKey());
            if (claim != null) {
                String value = text(claim);
                if (value == null) {
                    return new Verdict.Refused("the claim " + mapping.getKey() + " cannot be a request field");
                }
                fields.put(mapping.getValue(), value);
            }
        }
        return new Verdict.Accepted(
                (long) Math.min(end * 1000, (double) (clock.millis() + LONGEST_MEMORY)), Map.copyOf(fields));
    }

    /**
     * Returns a claim as the value of a header field: one line of ASCII. Null if the claim is an object or contains
     * other characters.
     */
    private static @Nullable String text(Object claim) {
        String text;
        if (claim instanceof String || claim instanceof Boolean) {
            text = claim.toString();
        } else if (claim instanceof Number number) {
            text = number.doubleValue() == number.longValue() ? Long.toString(number.longValue()) : number.toString();
        } else if (claim instanceof Collection<?> list && list.stream().allMatch(TokenVerifier::isWord)) {
            text = list.stream().map(String::valueOf).collect(Collectors.joining(" "));
        } else {
            return null;
        }
        boolean plain = text.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
        // Header fields lose blanks at their ends, so two different claims would become the same value.
        boolean exact = !text.isEmpty() && text.strip().equals(text);
        return plain && exact && FieldSyntax.isValue(text) ? text : null;
    }

    /**
     * Returns whether an item of a list can be distinguished from the other items after the list is joined with blanks.
     */
    private static boolean isWord(Object item) {
        return item instanceof String text && !text.isEmpty() && text.indexOf(' ') < 0;
    }
}
