package dev.lychgate.server.recording;

import dev.lychgate.server.recording.Recording.Body;
import dev.lychgate.server.recording.Recording.Field;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Masks secret values in bodies, as far as the media types of the bodies permit. */
final class RecordedBodies {
    private static final String OTHER_CODING =
            "the body can't be redacted, because its content coding is not supported";

    private static final String OTHER_CHARSET = "the body can't be redacted, because its charset is not supported";

    private static final Pattern CHARSET = Pattern.compile("charset\\s*=\\s*[\"']?([^\"';,\\s]*)");

    /** Charsets that encode ASCII characters as UTF-8 does, and all other characters without bytes below 0x80. */
    private static final Pattern LIKE_ASCII =
            Pattern.compile("|utf-?8|(us-)?ascii|iso[-_]?8859[-_]\\d{1,2}|latin-?1|(windows|cp)-?125\\d");

    private final RecordingRedaction.Scope scope;
    private final int limit;

    /** @param limit the maximum length of a decoded body, in bytes */
    RecordedBodies(RecordingRedaction.Scope scope, int limit) {
        this.scope = scope;
        this.limit = limit;
    }

    /**
     * Decodes a body and masks secret JSON members and form parameters. The scope collects the masked values.
     *
     * @param headers the header fields of the message that contains the body
     */
    Body mask(Body body, List<Field> headers) {
        if (body.bytes().length == 0) {
            return body;
        }
        List<String> codings = values(headers, "content-encoding");
        if (codings.equals(List.of("gzip")) || codings.equals(List.of("x-gzip"))) {
            return maskPlain(gunzip(body), headers);
        }
        boolean plain = codings.stream().allMatch(coding -> coding.isEmpty() || coding.equals("identity"));
        return plain ? maskPlain(body, headers) : omitted(body, OTHER_CODING);
    }

    private Body maskPlain(Body body, List<Field> headers) {
        String type = String.join(",", values(headers, "content-type"));
        boolean form = type.contains("application/x-www-form-urlencoded");
        boolean json = type.contains("json") || looksLikeJson(body.bytes());
        if (!isLikeAscii(type) || ((form || json || isText(type)) && isWide(body.bytes()))) {
            return omitted(body, OTHER_CHARSET);
        }
        if (form) {
            String text = new String(body.bytes(), StandardCharsets.UTF_8);
            scope.collectQuery(text);
            return body(body, scope.form(text).getBytes(StandardCharsets.UTF_8), body.cut());
        }
        return json ? maskJson(body) : body;
    }

    private static Body omitted(Body body, String reason) {
        return new Body(body.size(), new byte[0], true, reason);
    }

    private static boolean isText(String type) {
        return type.startsWith("text/") || type.contains("xml") || type.contains("javascript");
    }

    private static boolean isLikeAscii(String type) {
        return CHARSET.matcher(type)
                .results()
                .allMatch(charset -> LIKE_ASCII.matcher(charset.group(1)).matches());
    }

    /**
     * Returns whether a text begins with a byte order mark or a zero byte. Such a text is UTF-16 or UTF-32, even if its
     * media type does not state this charset.
     */
    private static boolean isWide(byte[] bytes) {
        int first = bytes.length < 2 ? 0xffff : ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff);
        boolean zero = false;
        for (int i = 0; i < Math.min(bytes.length, 4); i++) {
            zero |= bytes[i] == 0;
        }
        return first == 0xfeff || first == 0xfffe || zero;
    }

    private static boolean looksLikeJson(byte[] bytes) {
        for (byte b : bytes) {
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b == '{' || b == '[';
            }
        }
        return false;
    }

    /**
     * Masks values in JSON. Removes the text after the first syntax error, because this text may be part of a value
     * that must be masked.
     */
    private Body maskJson(Body body) {
        int before = scope.maskedMembers();
        JsonRedaction.Redacted redacted = scope.json().mask(body.bytes(), scope::maskedMember);
        boolean unchanged = redacted.whole() && scope.maskedMembers() == before;
        return unchanged ? body : body(body, redacted.text(), body.cut() || !redacted.whole());
    }

    private static Body body(Body of, byte[] bytes, boolean cut) {
        return new Body(of.size(), bytes, cut, null);
    }

    private Body gunzip(Body body) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        boolean cut = body.cut();
        byte[] buffer = new byte[4096];
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body.bytes()))) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                int fits = Math.min(n, limit - plain.size());
                plain.write(buffer, 0, fits);
                if (fits < n) {
                    cut = true;
                    break;
                }
            }
        } catch (IOException e) {
            cut = true;
        }
        return new Body(body.size(), plain.toByteArray(), cut, null);
    }

    /** Masks all occurrences of the collected values, regardless of the type of the body. */
    Body maskCollected(Body body) {
        if (body.bytes().length == 0) {
            return body;
        }
        // Each byte becomes one character, so that all unmasked bytes of a body of any type stay unchanged.
        String text = new String(body.bytes(), StandardCharsets.ISO_8859_1);
        String masked = scope.bytes(text);
        return masked.equals(text) ? body : body(body, masked.getBytes(StandardCharsets.ISO_8859_1), body.cut());
    }

    private static List<String> values(List<Field> headers, String name) {
        return headers.stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(field -> field.value().strip().toLowerCase(Locale.ROOT))
                .toList();
    }
}
