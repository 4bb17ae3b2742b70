package dev.lychgate.server.recording;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key that encrypts recordings with AES-256 in GCM. Each block has a random nonce. A reader detects blocks that were
 * replaced, moved or removed from the end. For this purpose, three facts are authenticated with each block: the header
 * of the file, the number of the block, and whether the block is the end mark. Not thread-safe.
 */
public final class RecordingKey {
    /**
     * The length of a nonce in bytes. A random nonce of 96 bits repeats with a probability below 2^-32 in up to 2^32
     * blocks.
     */
    private static final int NONCE = 12;

    private static final int TAG_BITS = 128;
    private static final int KEY = 32;
    private static final int LONGEST_FILE = 256;

    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    private RecordingKey(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
    }

    /**
     * Reads a key.
     *
     * @throws RecordingException unless the file contains 32 bytes or 64 hexadecimal digits
     */
    public static RecordingKey read(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(LONGEST_FILE);
        }
        if (bytes.length == KEY) {
            return new RecordingKey(bytes);
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1).strip();
        if (!text.matches("[0-9a-fA-F]{64}")) {
            throw new RecordingException(file + ": not a key (expected: 32 bytes, or 64 hexadecimal digits)");
        }
        return new RecordingKey(HexFormat.of().parseHex(text));
    }

    /**
     * Encrypts a block.
     *
     * @param last whether the block is the end mark
     * @return the nonce, the encrypted bytes and the tag
     */
    byte[] encrypt(byte[] plain, byte[] header, long block, boolean last) {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        try {
            byte[] encrypted =
                    cipher(Cipher.ENCRYPT_MODE, nonce, header, block, last).doFinal(plain);
            return ByteBuffer.allocate(NONCE + encrypted.length)
                    .put(nonce)
                    .put(encrypted)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM is missing in this JVM", e);
        }
    }

    byte[] decrypt(byte[] stored, byte[] header, long block, boolean last) throws RecordingException {
        if (stored.length < NONCE + TAG_BITS / 8) {
            throw new RecordingException("the block is too short to be encrypted");
        }
        byte[] nonce = new byte[NONCE];
        System.arraycopy(stored, 0, nonce, 0, NONCE);
        try {
            return cipher(Cipher.DECRYPT_MODE, nonce, header, block, last)
                    .doFinal(stored, NONCE, stored.length - NONCE);
        } catch (AEADBadTagException e) {
            throw new RecordingException("the recording is encrypted with another key, or the block was changed");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM is missing in this JVM", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, byte[] header, long block, boolean last)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(header);
        cipher.updateAAD(ByteBuffer.allocate(Long.BYTES + 1)
                .putLong(block)
                .put((byte) (last ? 1 : 0))
                .flip());
        return cipher;
    }
}
