package dev.lychgate.server.secrets;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypted values: AES-256-GCM with a random nonce of 96 bits. A value is URL-safe base64 of a version, the id of the
 * key, the nonce, the encrypted text and its tag; the tag also covers version and id. NUL characters, which no secret
 * contains, fill the text to a multiple of 32 bytes, so that the value does not reveal the exact length.
 *
 * @see <a href="https://csrc.nist.gov/pubs/sp/800/38/d/final">NIST SP 800-38D</a>
 */
public final class SealedSecret {
    /** The maximum size of a secret, in bytes. */
    public static final int LARGEST = SecretFile.LARGEST;

    private static final int VERSION = 1;
    private static final int HEAD_BYTES = 1 + KeyFile.ID_BYTES;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int BLOCK = 32;
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{encrypted:([^}]*)}");
    private static final String MALFORMED = "a value as lychgate secret encrypt prints it";

    private SealedSecret() {}

    /**
     * Returns the text of a secret from standard input, without one line feed at its end.
     *
     * @throws SecretException if the input is not text
     */
    public static String text(byte[] input) throws SecretException {
        return SecretFile.text(input, "the input");
    }

    /**
     * Encrypts a secret with the first key.
     *
     * @return the reference for the configuration: <code>${encrypted:...}</code>
     */
    public static String seal(String secret, KeyFile keys, SecureRandom random) {
        KeyFile.Key key = keys.first();
        byte[] head = new byte[HEAD_BYTES];
        head[0] = VERSION;
        System.arraycopy(HexFormat.of().parseHex(key.id()), 0, head, 1, KeyFile.ID_BYTES);
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] text = secret.getBytes(StandardCharsets.UTF_8);
        byte[] filled = Arrays.copyOf(text, (text.length / BLOCK + 1) * BLOCK);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head);
        all.writeBytes(nonce);
        try {
            all.writeBytes(cipher(Cipher.ENCRYPT_MODE, key, head, nonce).doFinal(filled));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES/GCM", e);
        }
        return "${" + SecretReference.Source.ENCRYPTED.word() + ":"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(all.toByteArray()) + "}";
    }

    private static Cipher cipher(int mode, KeyFile.Key key, byte[] head, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key.key(), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(head);
        return cipher;
    }

    /**
     * Decrypts a value.
     *
     * @param sealed the text after the colon
     * @throws SecretException if the value is malformed or was altered, or if its key is missing
     */
    public static String open(String sealed, KeyFile keys) throws SecretException {
        byte[] all;
        try {
            all = Base64.getUrlDecoder().decode(sealed);
        } catch (IllegalArgumentException e) {
            throw new SecretException(MALFORMED);
        }
        if (all.length < HEAD_BYTES + NONCE_BYTES + BLOCK + TAG_BITS / Byte.SIZE || all[0] != VERSION) {
            throw new SecretException(MALFORMED);
        }
        byte[] head = Arrays.copyOf(all, HEAD_BYTES);
        String id = HexFormat.of().formatHex(head, 1, HEAD_BYTES);
        KeyFile.Key key = keys.find(id);
        if (key == null) {
            throw new SecretException("a value that was encrypted with a key of the key file, which contains the keys "
                    + keys.ids() + "; this value was encrypted with the key " + id);
        }
        byte[] nonce = Arrays.copyOfRange(all, HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
        try {
            byte[] text = cipher(Cipher.DECRYPT_MODE, key, head, nonce)
                    .doFinal(all, HEAD_BYTES + NONCE_BYTES, all.length - HEAD_BYTES - NONCE_BYTES);
            int end = text.length;
            while (end > 0 && text[end - 1] == 0) {
                end--;
            }
            return new String(text, 0, end, StandardCharsets.UTF_8);
        } catch (AEADBadTagException e) {
            throw new SecretException(MALFORMED + "; the value was altered, or is incomplete");
        } catch (GeneralSecurityException e) {
            throw new SecretException(MALFORMED + "; the value cannot be decrypted");
        }
    }

    /**
     * Decrypts each encrypted value in a text, and encrypts it again with the first key. The rest of the text is
     * unchanged.
     *
     * @throws SecretException if one of the values cannot be decrypted
     */
    public static String rekey(String text, KeyFile keys, SecureRandom random) throws SecretException {
        Matcher found = REFERENCE.matcher(text);
        StringBuilder renewed = new StringBuilder();
        while (found.find()) {
            MatchResult each = found.toMatchResult();
            String secret;
            try {
                secret = open(each.group(1), keys);
            } catch (SecretException e) {
                long line = text.substring(0, each.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count()
                        + 1;
                throw new SecretException("line " + line + ": expected " + e.expected());
            }
            found.appendReplacement(renewed, Matcher.quoteReplacement(seal(secret, keys, random)));
        }
        return found.appendTail(renewed).toString();
    }
}
