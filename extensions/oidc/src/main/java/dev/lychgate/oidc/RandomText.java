package dev.lychgate.oidc;

import java.security.SecureRandom;
import java.util.Base64;

/** Unpredictable texts. Must not be used on an event loop, because random numbers may block. */
final class RandomText {
    private static final int BYTES = 32;

    private RandomText() {}

    /** Returns 256 random bits as 43 characters of base64url. */
    static String of(SecureRandom source) {
        byte[] bytes = new byte[BYTES];
        source.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
