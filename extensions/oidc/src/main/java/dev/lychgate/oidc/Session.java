package dev.lychgate.oidc;

import dev.lychgate.filter.Identity;
import dev.lychgate.http.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session of a browser, which is stored in its encrypted cookies. Immutable.
 *
 * @param id a random name, which stays the same when the session is renewed
 * @param renewals the number of renewals
 * @param begun the claim {@code iat} of the first ID token, in seconds since the epoch by the clock of the provider
 * @param renewAt the time from which the tokens are renewed, in milliseconds since the epoch
 * @param expires the time at which the tokens expire, in milliseconds since the epoch
 * @param ends the time after which the session is not renewed, in milliseconds since the epoch
 * @param idToken the newest ID token, as the provider sent it
 * @param refreshToken null if the provider sent none
 * @param claims the claims of the ID token
 */
record Session(
        String id,
        long renewals,
        long begun,
        long renewAt,
        long expires,
        long ends,
        String idToken,
        @Nullable String refreshToken,
        Map<String, Object> claims) {

    byte[] encode() {
        return Json.write(Arrays.asList(id, renewals, begun, renewAt, expires, ends, idToken, refreshToken))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the session in the decrypted content of a cookie; null if the content has another form. */
    static @Nullable Session decode(byte[] content) {
        return Json.read(content) instanceof List<?> list
                        && list.size() == 8
                        && list.get(0) instanceof String id
                        && list.get(1) instanceof Long renewals
                        && list.get(2) instanceof Long begun
                        && list.get(3) instanceof Long renewAt
                        && list.get(4) instanceof Long expires
                        && list.get(5) instanceof Long ends
                        && list.get(6) instanceof String idToken
                ? new Session(
                        id, renewals, begun, renewAt, expires, ends, idToken, (String) list.get(7), claimsOf(idToken))
                : null;
    }

    /**
     * Returns the claims of a token whose signature was verified earlier.
     *
     * @throws IllegalArgumentException if the text is not a token
     */
    @SuppressWarnings("unchecked")
    static Map<String, Object> claimsOf(String token) {
        int begin = token.indexOf('.') + 1;
        int end = token.indexOf('.', begin);
        if (begin > 0 && end > 0) {
            byte[] payload = Base64.getUrlDecoder().decode(token.substring(begin, end));
            if (Json.read(payload) instanceof Map<?, ?> claims) {
                return (Map<String, Object>) claims;
            }
        }
        throw new IllegalArgumentException("a token has three parts, and its claims are a JSON object");
    }

    /** Returns a claim that is a text; null if it is missing or of another type. */
    @Nullable
    String text(String claim) {
        return claims.get(claim) instanceof String text ? text : null;
    }

    Identity identity() {
        return new Identity("oidc", text("iss"), text("sub"), claims);
    }

    /** Returns whether the tokens have expired at a time, in milliseconds since the epoch. */
    boolean isExpired(long now) {
        return now >= expires;
    }

    /** Returns whether the session can be renewed at a time, in milliseconds since the epoch. */
    boolean isRenewable(long now) {
        return refreshToken != null && now < ends;
    }

    /** Returns whether the session should be renewed at a time, in milliseconds since the epoch. */
    boolean isDue(long now) {
        return now >= renewAt && isRenewable(now);
    }

    /** Omits tokens and claims. */
    @Override
    public String toString() {
        return "Session[renewals=" + renewals + ", expires=" + expires + "]";
    }
}
