package dev.lychgate.server.recording;

import dev.lychgate.server.recording.Recording.Body;
import dev.lychgate.server.recording.Recording.Field;
import dev.lychgate.server.recording.Recording.Place;
import dev.lychgate.server.recording.Recording.Request;
import dev.lychgate.server.recording.Recording.Response;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts HTTP archives (HAR) of browsers and proxies into recordings. An archive contains no filter runs, so its
 * responses count as responses of the origin. A replay shows how filters change them.
 *
 * @see <a href="http://www.softwareishard.com/blog/har-12-spec/">HAR 1.2</a>
 */
public final class HarImport {
    private static final int LONGEST_FILE = 256 << 20;
    private static final int LONGEST_BODY = 1 << 20;

    /**
     * The header fields that are not imported: fields that are valid only for one connection, and fields that describe
     * the transfer of a body. Archives contain decoded bodies.
     */
    private static final Set<String> DROPPED = Set.of(
            "host",
            "connection",
            "keep-alive",
            "transfer-encoding",
            "content-length",
            "upgrade",
            "te",
            "trailer",
            "proxy-connection");

    private final RecordingRedaction redaction;
    private int count;

    /** @param redaction masks secret values of the archive */
    public HarImport(RecordingRedaction redaction) {
        this.redaction = redaction;
    }

    /**
     * Returns the redacted exchanges of an archive. Entries without a response, such as blocked requests, are omitted.
     *
     * @throws RecordingException if the file is not an archive, is malformed or is too long
     */
    public List<Recording> read(Path file) throws IOException {
        byte[] text;
        try (InputStream in = Files.newInputStream(file)) {
            text = in.readNBytes(LONGEST_FILE + 1);
        }
        if (text.length > LONGEST_FILE) {
            throw new RecordingException(file + ": longer than " + LONGEST_FILE + " bytes");
        }
        List<Recording> all = new ArrayList<>();
        try {
            for (JsonTree entry : JsonTree.read(text).object("log").objects("entries")) {
                count++;
                Recording exchange = exchange(entry);
                if (exchange != null) {
                    all.add(RedactedRecording.of(exchange, redaction, LONGEST_BODY));
                }
            }
        } catch (RecordingException e) {
            String place = count == 0 ? "" : ", entry " + count;
            throw new RecordingException(file + place + ": " + e.getMessage());
        }
        return all;
    }

    private @Nullable Recording exchange(JsonTree entry) throws RecordingException {
        JsonTree response = entry.object("response");
        if (response.number("status") < 200 || response.number("status") > 599) {
            return null;
        }
        Request request = request(entry.object("request"));
        boolean secure =
                entry.object("request").text("url").toLowerCase(Locale.ROOT).startsWith("https:");
        return new Recording(
                "har-" + count,
                time(entry.text("startedDateTime")).toEpochMilli(),
                entry.has("time") ? (long) (entry.decimal("time") * 1000) : 0,
                count,
                new Place("har", "127.0.0.1", secure, 0, "", null, null),
                request,
                new Response((int) response.number("status"), fields(response), content(response)),
                List.of(),
                List.of(),
                null,
                null,
                List.of());
    }

    private static Instant time(String text) throws RecordingException {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw new RecordingException("startedDateTime is malformed: " + text);
        }
    }

    private static Request request(JsonTree json) throws RecordingException {
        URI url;
        try {
            url = new URI(json.text("url"));
        } catch (URISyntaxException e) {
            throw new RecordingException("url is malformed");
        }
        if (url.getRawAuthority() == null) {
            throw new RecordingException("url has no host");
        }
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        byte[] body = new byte[0];
        if (json.has("postData") && json.object("postData").has("text")) {
            body = json.object("postData").text("text").getBytes(StandardCharsets.UTF_8);
        }
        String host = url.getRawAuthority().substring(url.getRawAuthority().indexOf('@') + 1);
        return new Request(json.text("method"), path, url.getRawQuery(), host, fields(json), bounded(body));
    }

    private static Body content(JsonTree response) throws RecordingException {
        if (!response.has("content") || !response.object("content").has("text")) {
            return Body.EMPTY;
        }
        JsonTree content = response.object("content");
        if (!"base64".equals(content.optional("encoding"))) {
            return bounded(content.text("text").getBytes(StandardCharsets.UTF_8));
        }
        try {
            return bounded(Base64.getDecoder().decode(content.text("text")));
        } catch (IllegalArgumentException e) {
            throw new RecordingException("base64 is malformed");
        }
    }

    private static Body bounded(byte[] bytes) {
        boolean cut = bytes.length > LONGEST_BODY;
        return new Body(bytes.length, cut ? Arrays.copyOf(bytes, LONGEST_BODY) : bytes, cut, null);
    }

    private static List<Field> fields(JsonTree message) throws RecordingException {
        List<Field> fields = new ArrayList<>();
        for (JsonTree field : message.objects("headers")) {
            String name = field.text("name").toLowerCase(Locale.ROOT);
            if (!name.startsWith(":") && !DROPPED.contains(name) && !name.equals("content-encoding")) {
                fields.add(new Field(name, field.text("value")));
            }
        }
        return fields;
    }
}
