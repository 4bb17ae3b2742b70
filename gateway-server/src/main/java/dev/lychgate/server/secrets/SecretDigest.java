package dev.lychgate.server.secrets;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes digests that show whether a secret has changed: HMAC-SHA256 with a random key of the process. The key never
 * leaves the process, so a digest does not reveal even a short secret.
 */
public final class SecretDigest {
    private static final SecretKeySpec KEY = key();

    private SecretDigest() {}

    private static SecretKeySpec key() {
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        return new SecretKeySpec(key, "HmacSHA256");
    }

    public static String of(String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(KEY);
            return HexFormat.of().formatHex(mac.doFinal(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
