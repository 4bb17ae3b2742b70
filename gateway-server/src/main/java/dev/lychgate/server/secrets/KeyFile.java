package dev.lychgate.server.secrets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys of encrypted values: one line {@code aes-256-gcm:BASE64} for each key. The first key encrypts. Every key
 * decrypts the values that it has encrypted, so old values stay readable after a new key was added. Empty lines and
 * lines that begin with {@code #} are ignored.
 */
public final class KeyFile {
    static final int ID_BYTES = 4;
    private static final String PREFIX = "aes-256-gcm:";
    private static final int KEY_BYTES = 32;
    private static final byte[] ID_LABEL = "lychgate key id".getBytes(StandardCharsets.US_ASCII);

    /**
     * A key.
     *
     * @param id derived from the key by HMAC-SHA256; it reveals nothing about the key
     */
    record Key(String id, SecretKeySpec key) {
        @Override
        public String toString() {
            return "key " + id;
        }
    }

    private final List<Key> keys;

    private KeyFile(List<Key> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * Reads a key file.
     *
     * @throws SecretException if it cannot be read, or has a malformed line
     */
    public static KeyFile read(Path file) throws SecretException {
        return parse(
                SecretFile.read(file, "; lychgate secret key writes a key file").text(), file);
    }

    static KeyFile parse(String text, Object where) throws SecretException {
        List<Key> keys = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String key = line.strip();
            if (!key.isEmpty() && !key.startsWith("#")) {
                keys.add(key(key, where + ", line " + number));
            }
        }
        if (keys.isEmpty()) {
            throw new SecretException("a file with a key; " + where + " contains no key");
        }
        return new KeyFile(keys);
    }

    private static Key key(String line, String where) throws SecretException {
        byte[] bytes = null;
        if (line.startsWith(PREFIX)) {
            try {
                bytes = Base64.getDecoder().decode(line.substring(PREFIX.length()));
            } catch (IllegalArgumentException e) {
                // Reported below, without the line.
            }
        }
        if (bytes == null || bytes.length != KEY_BYTES) {
            throw new SecretException(
                    "lines of the form " + PREFIX + "BASE64 with 32 bytes; " + where + " is malformed");
        }
        return key(bytes);
    }

    private static Key key(byte[] bytes) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(bytes, "HmacSHA256"));
            byte[] id = Arrays.copyOf(mac.doFinal(ID_LABEL), ID_BYTES);
            return new Key(HexFormat.of().formatHex(id), new SecretKeySpec(bytes, "AES"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }

    /** Returns the key that encrypts. */
    Key first() {
        return keys.get(0);
    }

    /** Returns the key with an id; null if the file does not contain it. */
    @Nullable
    Key find(String id) {
        return keys.stream().filter(key -> key.id().equals(id)).findFirst().orElse(null);
    }

    /** Returns the ids of all keys. The id of the key that encrypts comes first. */
    public String ids() {
        return keys.stream().map(Key::id).collect(Collectors.joining(", "));
    }

    /**
     * Writes a file with a new key. Only this user can read the file.
     *
     * @return the id of the key
     * @throws IOException if the file exists, or cannot be written
     */
    public static String create(Path file, SecureRandom random) throws IOException {
        String line = newLine(random);
        write(file, line, StandardOpenOption.CREATE_NEW);
        return key(bytes(line)).id();
    }

    /**
     * Adds a new key in front of the existing keys. The file is replaced atomically.
     *
     * @return the id of the key
     * @throws IOException if the file cannot be written
     * @throws SecretException if the file is not a key file
     */
    public static String add(Path file, SecureRandom random) throws IOException, SecretException {
        read(file);
        Path real = file.toRealPath();
        String line = newLine(random);
        Path next = real.resolveSibling(real.getFileName() + ".new");
        Files.deleteIfExists(next);
        try {
            write(next, line + Files.readString(real), StandardOpenOption.CREATE_NEW);
            Files.move(next, real, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
        return key(bytes(line)).id();
    }

    private static String newLine(SecureRandom random) {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes) + "\n";
    }

    private static byte[] bytes(String line) {
        return Base64.getDecoder().decode(line.substring(PREFIX.length()).strip());
    }

    private static void write(Path file, String text, StandardOpenOption how) throws IOException {
        FileAttribute<?>[] own =
                file.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        try (FileChannel channel = FileChannel.open(file, Set.of(how, StandardOpenOption.WRITE), own)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    @Override
    public String toString() {
        return "keys " + ids();
    }
}
