package dev.lychgate.oidc;

import dev.lychgate.http.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A login that has begun. It is stored in an encrypted cookie of the browser, so that only the browser that began the
 * login can complete it.
 *
 * @param state the parameter {@code state}
 * @param nonce the claim {@code nonce} that the ID token must have
 * @param verifier the secret of PKCE
 * @param returnPath the path to which the browser returns
 * @param redirectUri the redirect URI of the authorization request
 * @param until the time until which the login must be complete, in milliseconds since the epoch
 */
record LoginState(String state, String nonce, String verifier, String returnPath, String redirectUri, long until) {
    private static final int NAME_BYTES = 6;

    byte[] encode() {
        return Json.write(List.of(state, nonce, verifier, returnPath, redirectUri, until))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the login in the decrypted content of a cookie; null if the content has another form. */
    static @Nullable LoginState decode(byte[] content) {
        return Json.read(content) instanceof List<?> list
                        && list.size() == 6
                        && list.get(0) instanceof String state
                        && list.get(1) instanceof String nonce
                        && list.get(2) instanceof String verifier
                        && list.get(3) instanceof String path
                        && list.get(4) instanceof String uri
                        && list.get(5) instanceof Long until
                ? new LoginState(state, nonce, verifier, path, uri, until)
                : null;
    }

    /** Returns the parameter {@code code_challenge} of the method S256. */
    String challenge() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(verifier));
    }

    /**
     * Returns the suffix of the cookie of a login. It depends on the state, so that logins in several tabs of a browser
     * do not overwrite each other.
     */
    static String suffix(String state) {
        return ".login." + HexFormat.of().formatHex(sha256(state), 0, NAME_BYTES);
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }
}
