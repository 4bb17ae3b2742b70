package dev.lychgate.server.secrets;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;

/**
 * A file that contains one secret: UTF-8 text of at most 64 KiB. Links are followed, because Kubernetes mounts secrets
 * as links.
 *
 * @param text the content without one line feed at its end
 * @param exposed whether every user of the machine can read the file
 */
record SecretFile(String text, boolean exposed) {
    static final int LARGEST = 64 << 10;

    /**
     * Reads a file.
     *
     * @param remedy the end of the message about a missing file
     * @throws SecretException if the file is missing or unreadable, or if its content is not accepted as a secret
     */
    static SecretFile read(Path file, String remedy) throws SecretException {
        try {
            Path real = file.toRealPath();
            BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                throw new SecretException("a file; " + file + " is a directory");
            }
            // Reading a pipe or a device might never end, and files that the kernel provides do not contain secrets.
            if (!attributes.isRegularFile() || real.startsWith("/proc") || real.startsWith("/sys")) {
                throw new SecretException("a regular file; " + file + " is a pipe, a device or a file of the kernel");
            }
            return new SecretFile(text(bytes(real, file), file), isExposed(real));
        } catch (NoSuchFileException e) {
            throw new SecretException("a file that exists; there is no " + file + remedy);
        } catch (AccessDeniedException e) {
            throw new SecretException("a file that this user may read; permission denied for " + file);
        } catch (IOException e) {
            throw new SecretException("a file that can be read; " + file + ": "
                    + e.getClass().getSimpleName() + (e instanceof FileSystemException f ? reason(f) : ""));
        }
    }

    private static String reason(FileSystemException e) {
        return e.getReason() == null ? "" : ", " + e.getReason();
    }

    private static byte[] bytes(Path real, Path file) throws IOException, SecretException {
        // The size in the attributes is not used, because the file may grow while it is read.
        try (InputStream in = Files.newInputStream(real)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new SecretException("a file of at most 64 KiB; " + file + " is larger");
            }
            return bytes;
        }
    }

    /**
     * Returns the text of a secret.
     *
     * @param where the source, for messages.
     * @throws SecretException if the bytes are not text
     */
    static String text(byte[] bytes, Object where) throws SecretException {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new SecretException("text in UTF-8; " + where + " has other bytes");
        }
        if (text.indexOf('\0') >= 0) {
            throw new SecretException("text; " + where + " contains the character NUL");
        }
        if (text.startsWith("\uFEFF")) {
            throw new SecretException("text without a byte order mark; " + where + " begins with a byte order mark");
        }
        String secret = text.endsWith("\r\n")
                ? text.substring(0, text.length() - 2)
                : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        if (secret.isBlank()) {
            // An empty file is refused, because a writer may have truncated the file and not written the new content
            // yet.
            throw new SecretException("a secret; " + where + " is empty");
        }
        return secret;
    }

    private static boolean isExposed(Path file) {
        try {
            return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException | UnsupportedOperationException e) {
            // The file system has no such permissions.
            return false;
        }
    }
}
