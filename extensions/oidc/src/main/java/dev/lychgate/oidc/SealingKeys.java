package dev.lychgate.oidc;

import dev.lychgate.config.ConfigException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts the content of cookies with AES-256-GCM. The first key encrypts, and each key decrypts. The value of a
 * cookie is base64url of a version, the id of the key, a random nonce and the ciphertext. The encryption also
 * authenticates the purpose of the cookie, so that a cookie cannot be used for another purpose. Thread-safe, without
 * locks.
 */
final class SealingKeys {
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final byte VERSION = 1;
    private static final int NONCE = 12;
    private static final int TAG = 16;
    private static final int HEAD = 1 + Long.BYTES + NONCE;

    private final List<SealingKey> keys;
    private final SecureRandom random;
    /** Ciphers for reuse, at most one per thread, because creating a cipher takes longer than decrypting a cookie. */
    private final Queue<Cipher> idle = new ConcurrentLinkedQueue<>();

    /**
     * A key that encrypts and decrypts cookies.
     *
     * @param id identifies the key in cookies, and reveals nothing about it
     */
    private record SealingKey(long id, SecretKey key) {}

    private SealingKeys(List<SealingKey> keys, SecureRandom random) {
        this.keys = List.copyOf(keys);
        this.random = random;
    }

    /**
     * Derives the keys from texts. Performs one encryption, so that no event loop has to load the classes of the
     * cipher.
     *
     * @param secrets random texts; the key from the first text encrypts
     * @throws ConfigException under the key {@code session-keys}, if a text occurs twice
     */
    static SealingKeys of(List<String> secrets, SecureRandom random) {
        List<SealingKey> keys = new ArrayList<>();
        for (String secret : secrets) {
            long id = ByteBuffer.wrap(derived(secret, "lychgate oidc: id of a cookie key"))
                    .getLong();
            if (keys.stream().anyMatch(other -> other.id() == id)) {
                throw new ConfigException("session-keys", "***", "each key once");
            }
            keys.add(new SealingKey(id, new SecretKeySpec(derived(secret, "lychgate oidc: cookie key"), "AES")));
        }
        SealingKeys ready = new SealingKeys(keys, random);
        if (ready.open("check", ready.seal("check", new byte[1])) == null) {
            throw new IllegalStateException("AES-GCM does not work in this JVM");
        }
        return ready;
    }

    private static byte[] derived(String secret, String label) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(label.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has HmacSHA256", e);
        }
    }

    /**
     * Encrypts the content of a cookie. Must not be called on an event loop, because random numbers may block.
     *
     * @param purpose the purpose of the cookie; {@link #open} requires the same purpose
     * @return text of base64url
     */
    String seal(String purpose, byte[] content) {
        SealingKey key = keys.get(0);
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        ByteBuffer sealed = ByteBuffer.allocate(HEAD + content.length + TAG);
        sealed.put(VERSION).putLong(key.id()).put(nonce);
        Cipher cipher = idle.poll();
        try {
            if (cipher == null) {
                cipher = Cipher.getInstance(CIPHER);
            }
            cipher.init(Cipher.ENCRYPT_MODE, key.key(), new GCMParameterSpec(TAG * Byte.SIZE, nonce));
            cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
            sealed.put(cipher.doFinal(content));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM does not work in this JVM", e);
        }
        idle.add(cipher);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed.array());
    }

    /**
     * Decrypts the content of a cookie.
     *
     * @return null if the text was not sealed for this purpose with one of the keys, or was altered
     */
    byte @Nullable [] open(String purpose, String sealed) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(sealed);
        } catch (IllegalArgumentException e) {
            return null;
        }
        if (bytes.length < HEAD + TAG || bytes[0] != VERSION) {
            return null;
        }
        long id = ByteBuffer.wrap(bytes).getLong(1);
        for (SealingKey key : keys) {
            if (key.id() == id) {
                return open(key, purpose, bytes);
            }
        }
        return null;
    }

    private byte @Nullable [] open(SealingKey key, String purpose, byte[] sealed) {
        Cipher cipher = idle.poll();
        try {
            if (cipher == null) {
                cipher = Cipher.getInstance(CIPHER);
            }
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    key.key(),
                    new GCMParameterSpec(TAG * Byte.SIZE, sealed, 1 + Long.BYTES, NONCE));
            cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
            byte[] content = cipher.doFinal(sealed, HEAD, sealed.length - HEAD);
            idle.add(cipher);
            return content;
        } catch (AEADBadTagException e) {
            return null;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM does not work in this JVM", e);
        }
    }
}
