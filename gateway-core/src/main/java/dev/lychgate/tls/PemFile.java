package dev.lychgate.tls;

import dev.lychgate.tls.TlsFiles.Unusable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificates and keys from a PEM file. Text between the PEM blocks is skipped.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7468">RFC 7468</a>
 */
final class PemFile {
    private static final Pattern BEGIN = Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----");
    /**
     * The algorithms of all keys that the JDK reads. Unsupported algorithms are included, so that the message about an
     * unsupported key can name its algorithm.
     */
    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS", "DSA");

    private static final String CONVERSION = "convert it: openssl pkcs8 -topk8 -v2 aes-256-cbc";

    private record Block(String label, String content) {}

    private PemFile() {}

    static List<X509Certificate> certificates(byte[] file) throws Unusable {
        List<X509Certificate> found = new ArrayList<>();
        List<Block> blocks = blocks(file);
        for (Block block : blocks) {
            if (block.label().equals("CERTIFICATE") || block.label().equals("X509 CERTIFICATE")) {
                found.add(certificate(decoded(block)));
            }
        }
        if (found.isEmpty()) {
            throw new Unusable("contains no certificate, only blocks of this type: " + labels(blocks));
        }
        return found;
    }

    private static X509Certificate certificate(byte[] der) throws Unusable {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException e) {
            throw new Unusable("contains a malformed certificate", e);
        }
    }

    /**
     * Returns the private key of a file, which must contain exactly one private key.
     *
     * @param password the password of an encrypted key; null if no password is configured
     */
    static PrivateKey key(byte[] file, @Nullable String password) throws Unusable {
        List<Block> blocks = blocks(file);
        List<Block> keys =
                blocks.stream().filter(b -> b.label().endsWith("PRIVATE KEY")).toList();
        if (keys.size() != 1) {
            throw new Unusable(
                    keys.isEmpty()
                            ? "contains no private key, only blocks of this type: " + labels(blocks)
                            : "contains " + keys.size() + " private keys");
        }
        Block block = keys.get(0);
        if (block.content().contains("Proc-Type:")) {
            throw new Unusable("is encrypted in a format older than PKCS#8; " + CONVERSION);
        }
        byte[] der = decoded(block);
        try {
            return switch (block.label()) {
                case "PRIVATE KEY" -> pkcs8(der);
                case "ENCRYPTED PRIVATE KEY" -> pkcs8(decrypted(der, password));
                case "RSA PRIVATE KEY" -> pkcs8(Der.pkcs8OfRsa(der));
                case "EC PRIVATE KEY" -> pkcs8(Der.pkcs8OfEc(der));
                default -> throw new Unusable("contains an unsupported type of block: " + block.label());
            };
        } catch (IllegalArgumentException e) {
            throw new Unusable("contains a malformed private key", e);
        }
    }

    private static PrivateKey pkcs8(byte[] der) throws Unusable {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(der);
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                // The key has another algorithm, or is malformed. The next algorithm is tried.
            } catch (GeneralSecurityException e) {
                throw new Unusable("contains a private key that can't be read: " + e.getMessage(), e);
            }
        }
        throw new Unusable("contains a private key that is malformed, of an unknown kind, or without a named curve");
    }

    private static byte[] decrypted(byte[] der, @Nullable String password) throws Unusable {
        if (password == null) {
            throw new Unusable("is encrypted, and no password is configured");
        }
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
            String algorithm = info.getAlgName();
            // With PBES2, the cipher is part of the algorithm parameters.
            String cipher = algorithm.equals("PBES2") || algorithm.equals("1.2.840.113549.1.5.13")
                    ? String.valueOf(info.getAlgParameters())
                    : algorithm;
            SecretKeyFactory factory = SecretKeyFactory.getInstance(cipher);
            Cipher c = Cipher.getInstance(cipher);
            c.init(
                    Cipher.DECRYPT_MODE,
                    factory.generateSecret(new PBEKeySpec(password.toCharArray())),
                    info.getAlgParameters());
            return info.getKeySpec(c).getEncoded();
        } catch (InvalidKeySpecException e) {
            throw new Unusable("can't be decrypted: " + wrong(password), e);
        } catch (IOException | GeneralSecurityException e) {
            throw new Unusable("can't be decrypted: it is malformed, or the encryption is unknown; " + CONVERSION, e);
        }
    }

    /** Returns the message for a password that does not decrypt a key or a store. */
    static String wrong(String password) {
        boolean ascii = password.chars().allMatch(c -> c < 0x80);
        return "the password is wrong" + (ascii ? "" : ", or this JDK accepts only ASCII in passwords");
    }

    private static List<Block> blocks(byte[] file) throws Unusable {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        List<Block> blocks = new ArrayList<>();
        Matcher begin = BEGIN.matcher(text);
        for (int at = 0; begin.find(at); ) {
            String label = begin.group(1);
            String boundary = "-----END " + label + "-----";
            int end = text.indexOf(boundary, begin.end());
            if (end < 0) {
                throw new Unusable("is truncated: missing the end of its " + label);
            }
            blocks.add(new Block(label, text.substring(begin.end(), end)));
            at = end + boundary.length();
        }
        if (blocks.isEmpty()) {
            // All keys, certificates and stores in DER begin with a SEQUENCE that has a long-form length.
            boolean der = file.length > 1 && file[0] == 0x30 && (file[1] & 0xff) >= 0x81;
            throw new Unusable(der ? "contains DER instead of PEM" : "contains nothing in PEM");
        }
        return blocks;
    }

    private static byte[] decoded(Block block) throws Unusable {
        try {
            return Base64.getMimeDecoder().decode(block.content());
        } catch (IllegalArgumentException e) {
            throw new Unusable("contains a block that is not in Base64: " + block.label(), e);
        }
    }

    private static String labels(List<Block> blocks) {
        return String.join(", ", blocks.stream().map(Block::label).distinct().toList());
    }
}
