package dev.lychgate.oidc;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import java.text.ParseException;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies ID tokens and logout tokens of a provider. Keys come from the provider's key set only: key parameters in the
 * header of a token are not used.
 *
 * @see <a href="https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation">OpenID Connect Core 1.0,
 *     3.1.3.7</a>
 * @see <a href="https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation">OpenID Connect
 *     Back-Channel Logout 1.0, 2.6</a>
 */
final class TokenRules {
    /** The maximum length of a token, in characters. */
    static final int LONGEST = 64 << 10;
    /** The maximum length of a logout token, in characters. Logout tokens are short, because they have few claims. */
    static final int LONGEST_LOGOUT = 8 << 10;

    private static final String LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
    /**
     * The accepted types of ID tokens. A token without a type is treated as type {@code JWT}, and its claims show
     * whether it is an ID token or a logout token.
     */
    private static final Set<String> ID_TOKEN_TYPES = Set.of("jwt");

    private static final Set<String> LOGOUT_TOKEN_TYPES = Set.of("jwt", "logout+jwt");
    /** The maximum age of a logout token, in seconds. Providers send logout tokens at once. */
    private static final long LOGOUT_AGE = 300;

    private final String issuer;
    private final String client;
    private final List<String> algorithms;
    private final long skew;
    private final Clock clock;

    /**
     * A verified logout.
     *
     * @param session the claim {@code sid}; null if all sessions of the subject end
     * @param subject the claim {@code sub}; null if it is missing
     * @param issued the claim {@code iat}, in seconds since the epoch
     */
    record Logout(@Nullable String session, @Nullable String subject, long issued) {}

    /** A logout whose signature is not verified yet. */
    record UnverifiedLogout(JWSObject token, Logout logout) {}

    TokenRules(ProviderSettings settings, Clock clock) {
        this.issuer = settings.issuer();
        this.client = settings.clientId();
        this.algorithms = settings.algorithms();
        this.skew = settings.clockSkew().toSeconds();
        this.clock = clock;
    }

    /**
     * Verifies an ID token.
     *
     * @param nonce the nonce of the login; null for the token of a renewal
     * @return the claims
     * @throws ProviderException if the token is not accepted
     */
    Map<String, Object> idToken(String token, ProviderKeys keys, @Nullable String nonce) {
        Map<String, Object> claims = verified(token, keys, ID_TOKEN_TYPES);
        if (!(claims.get("sub") instanceof String subject) || subject.isEmpty()) {
            throw ProviderException.invalid("the ID token has no subject");
        }
        long expiry = seconds(claims, "exp");
        if (expiry + skew <= now()) {
            throw ProviderException.invalid("the ID token has expired");
        }
        Object presented = claims.get("nonce");
        if (nonce != null && !nonce.equals(presented)) {
            throw ProviderException.invalid("the ID token does not belong to this login: its nonce differs");
        }
        if (claims.get("events") != null) {
            throw ProviderException.invalid("the token is not an ID token, because it has the claim events");
        }
        return claims;
    }

    /**
     * Reads a logout token, and checks everything except its signature. Event loops can thus refuse most texts that are
     * not logout tokens. Thread-safe.
     *
     * @throws ProviderException if the token is not accepted
     */
    UnverifiedLogout readLogout(String token) {
        if (token.length() > LONGEST_LOGOUT) {
            throw ProviderException.invalid("the token is too long");
        }
        JWSObject parsed = parsed(token, LOGOUT_TOKEN_TYPES);
        return new UnverifiedLogout(parsed, logout(claims(token)));
    }

    /**
     * Verifies the signature of a logout token.
     *
     * @throws ProviderException if no key verifies it
     */
    static Logout verified(UnverifiedLogout read, ProviderKeys keys) {
        requireSignature(read.token(), keys);
        return read.logout();
    }

    private Logout logout(Map<String, Object> claims) {
        if (!(claims.get("events") instanceof Map<?, ?> events) || !(events.get(LOGOUT_EVENT) instanceof Map<?, ?>)) {
            throw ProviderException.invalid("the token has no logout event");
        }
        if (claims.containsKey("nonce")) {
            throw ProviderException.invalid("a logout token must not have a nonce");
        }
        if (claims.get("exp") != null && seconds(claims, "exp") + skew <= now()) {
            throw ProviderException.invalid("the logout token has expired");
        }
        long issued = seconds(claims, "iat");
        if (issued + skew + LOGOUT_AGE <= now()) {
            throw ProviderException.invalid("the logout token is too old");
        }
        String session = claims.get("sid") instanceof String text && !text.isEmpty() ? text : null;
        String subject = claims.get("sub") instanceof String text && !text.isEmpty() ? text : null;
        if (session == null && subject == null) {
            throw ProviderException.invalid("the logout token has neither sid nor sub");
        }
        return new Logout(session, subject, issued);
    }

    private Map<String, Object> verified(String token, ProviderKeys keys, Set<String> types) {
        if (token.length() > LONGEST) {
            throw ProviderException.invalid("the token is too long");
        }
        requireSignature(parsed(token, types), keys);
        return claims(token);
    }

    /** Parses a token, and checks its header. */
    private JWSObject parsed(String token, Set<String> types) {
        return wellFormed(() -> {
            JWSObject parsed = JWSObject.parse(token);
            requireHeader(parsed.getHeader(), types);
            return parsed;
        });
    }

    /** Reads and checks the claims of a token. */
    private Map<String, Object> claims(String token) {
        return wellFormed(() -> {
            Map<String, Object> claims = Session.claimsOf(token);
            requireClaims(claims);
            return claims;
        });
    }

    private static void requireSignature(JWSObject token, ProviderKeys keys) {
        if (!wellFormed(() -> keys.verify(token))) {
            throw new ProviderException(
                    ProviderException.Kind.UNVERIFIED, "no key of the provider verifies the signature");
        }
    }

    private interface Reading<T> {
        T read() throws ParseException;
    }

    private static <T> T wellFormed(Reading<T> reading) {
        try {
            return reading.read();
        } catch (ProviderException e) {
            throw e;
        } catch (ParseException | RuntimeException | StackOverflowError e) {
            // Nimbus throws errors of other types for some malformed headers, such as deeply nested ones.
            throw ProviderException.invalid("the token is malformed");
        }
    }

    private void requireHeader(JWSHeader header, Set<String> types) {
        if (!algorithms.contains(header.getAlgorithm().getName())) {
            throw ProviderException.invalid("the algorithm of the token is not accepted");
        }
        String type =
                header.getType() == null ? "jwt" : header.getType().getType().toLowerCase(Locale.ROOT);
        if (!types.contains(type)) {
            throw ProviderException.invalid("the type of the token is not accepted");
        }
        if (header.getCriticalParams() != null || !header.isBase64URLEncodePayload()) {
            throw ProviderException.invalid("the header of the token has a critical parameter");
        }
    }

    private void requireClaims(Map<String, Object> claims) {
        if (!issuer.equals(claims.get("iss"))) {
            throw ProviderException.invalid("the token comes from another issuer");
        }
        Object audience = claims.get("aud");
        Collection<?> audiences =
                audience instanceof Collection<?> several ? several : audience == null ? List.of() : List.of(audience);
        if (!audiences.contains(client)) {
            throw ProviderException.invalid("the token is for another client");
        }
        Object party = claims.get("azp");
        if (party == null ? audiences.size() > 1 : !client.equals(party)) {
            throw ProviderException.invalid("the token was issued to another party");
        }
        if (seconds(claims, "iat") - skew > now()) {
            throw ProviderException.invalid("the token was issued in the future");
        }
        if (claims.get("nbf") != null && seconds(claims, "nbf") - skew > now()) {
            throw ProviderException.invalid("the token is not yet valid");
        }
    }

    private long now() {
        return clock.millis() / 1000;
    }

    /**
     * Returns a time of a token, in seconds since the epoch.
     *
     * @throws ProviderException if it is missing or not a number
     */
    static long seconds(Map<String, Object> claims, String name) {
        if (claims.get(name) instanceof Number number) {
            return number.longValue();
        }
        throw ProviderException.invalid("the token has no " + name);
    }
}
