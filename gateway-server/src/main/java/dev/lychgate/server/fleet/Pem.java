package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * The PEM form of keys.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7468">RFC 7468</a>
 */
final class Pem {
    private static final int LARGEST = 16 << 10;

    private Pem() {}

    static String text(Path file) throws FleetException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LARGEST), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new FleetException(
                    FleetException.Kind.REFUSED,
                    file + " can't be read: " + e.getClass().getSimpleName(),
                    e);
        }
    }

    /** @throws IllegalArgumentException if the text does not consist of one block with this label */
    static byte[] decode(String label, String text) {
        String all = text.strip();
        String begin = "-----BEGIN " + label + "-----";
        String end = "-----END " + label + "-----";
        if (all.length() < begin.length() + end.length() || !all.startsWith(begin) || !all.endsWith(end)) {
            throw new IllegalArgumentException("the text is not exactly one PEM block with the label " + label);
        }
        String body = all.substring(begin.length(), all.length() - end.length());
        return Base64.getDecoder().decode(body.replaceAll("\\s", ""));
    }

    static String encode(String label, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }
}
