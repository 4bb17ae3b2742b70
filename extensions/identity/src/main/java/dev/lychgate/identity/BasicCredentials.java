package dev.lychgate.identity;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The name and the password of a request, in UTF-8.
 *
 * @param digest the digest of the received bytes, computed with the {@linkplain KeyDigest.Secret key} of this process
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7617#section-2">RFC 7617, 2 The 'Basic' Authentication Scheme</a>
 */
record BasicCredentials(String name, String password, KeyDigest digest) {
    /**
     * The maximum length of credentials in Base64, in characters. Credentials with an accepted name and password are
     * always shorter.
     */
    private static final int LONGEST = 1_024;

    private static final int LONGEST_PASSWORD = 256;

    /** The result of {@link #parse}: either credentials or a reason. */
    record Parsed(@Nullable BasicCredentials credentials, int status, String refusal) {
        private static Parsed refused(int status, String refusal) {
            return new Parsed(null, status, refusal);
        }
    }

    /**
     * Parses the text after the name of the scheme. Only the canonical Base64 of the credentials is accepted, because
     * decoders disagree about other characters, missing padding and unused bits.
     */
    static Parsed parse(String base64, KeyDigest.Secret secret) {
        if (base64.length() > LONGEST) {
            return Parsed.refused(401, "the credentials are too long");
        }
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return malformed();
        }
        if (!Base64.getEncoder().encodeToString(bytes).equals(base64)) {
            return malformed();
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return Parsed.refused(401, "the credentials are not in UTF-8");
        }
        // The first colon ends the name, because a name must not contain colons, but a password may.
        int colon = text.indexOf(':');
        if (colon < 0 || text.chars().anyMatch(Character::isISOControl)) {
            return malformed();
        }
        String password = text.substring(colon + 1);
        if (password.getBytes(StandardCharsets.UTF_8).length > LONGEST_PASSWORD) {
            return Parsed.refused(401, "the credentials are too long");
        }
        return new Parsed(new BasicCredentials(text.substring(0, colon), password, secret.of(bytes)), 200, "");
    }

    private static Parsed malformed() {
        return Parsed.refused(400, "the credentials are malformed");
    }

    /** Returns the digest alone, so that no log contains a password. */
    @Override
    public String toString() {
        return "BasicCredentials";
    }
}
