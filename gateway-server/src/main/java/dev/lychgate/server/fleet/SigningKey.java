package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Set;

/**
 * A private key of the curve Ed25519 that signs releases and heads. Its file has the PEM form of {@code openssl genpkey
 * -algorithm ed25519}. Thread-safe.
 */
public final class SigningKey {
    private static final String NAME = "Ed25519";

    private final PrivateKey key;

    private SigningKey(PrivateKey key) {
        this.key = key;
    }

    /**
     * Reads a key.
     *
     * @throws FleetException if the file cannot be read or contains no such key; the message never contains the key
     */
    public static SigningKey read(Path file) throws FleetException {
        try {
            byte[] der = Pem.decode("PRIVATE KEY", Pem.text(file));
            return new SigningKey(KeyFactory.getInstance(NAME).generatePrivate(new PKCS8EncodedKeySpec(der)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // The cause is dropped, because its message may contain a part of the key.
            throw FleetException.refused(file + " contains no private key of the curve Ed25519 in PEM form");
        }
    }

    /**
     * Creates a pair of keys. Only this user can read the file of the private key.
     *
     * @throws IOException if a file exists or cannot be written
     */
    public static void create(Path privateFile, Path publicFile) throws IOException {
        KeyPair pair;
        try {
            pair = KeyPairGenerator.getInstance(NAME).generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK since 15 has Ed25519", e);
        }
        write(privateFile, "PRIVATE KEY", pair.getPrivate().getEncoded(), "rw-------");
        write(publicFile, "PUBLIC KEY", pair.getPublic().getEncoded(), "rw-r--r--");
    }

    private static void write(Path file, String label, byte[] der, String permissions) throws IOException {
        FileAttribute<?>[] attributes =
                file.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                        }
                        : new FileAttribute<?>[0];
        try (var out = Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes)) {
            out.write(ByteBuffer.wrap(Pem.encode(label, der).getBytes(StandardCharsets.US_ASCII)));
        }
    }

    /** Returns the signature of a message, 64 bytes. */
    byte[] sign(byte[] message) {
        try {
            Signature signature = Signature.getInstance(NAME);
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key of Ed25519 signs every message", e);
        }
    }

    /** Returns a line that ends a signed text: {@code signature BASE64}. */
    String signatureLine(byte[] text) {
        return "signature " + Base64.getEncoder().encodeToString(sign(text)) + "\n";
    }
}
