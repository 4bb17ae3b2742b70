package dev.lychgate.exchange.filtering.items;

import dev.lychgate.filter.BodyPart;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.PartContent;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.Parameters;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A part of a multipart body, after its header section has arrived. */
final class Part implements BodyPart {
    private static final Pattern LINE_END = Pattern.compile("\r\n");
    private static final String DISPOSITION = "content-disposition";
    private static final List<String> UNENCODED = List.of("7bit", "8bit", "binary");

    private record Field(String name, String value) {}

    private final List<Field> fields;
    private final String name;
    private @Nullable String filename;
    private boolean changed;
    private boolean dropped;
    private @Nullable BodyTransform transform;

    private Part(List<Field> fields, Parameters disposition) {
        this.fields = fields;
        this.name = Objects.requireNonNull(disposition.all().get("name"));
        this.filename = disposition.all().get("filename");
    }

    /**
     * Parses the header section of a part.
     *
     * @throws IllegalArgumentException if the header section is malformed or ambiguous; the message is a noun phrase
     */
    static Part of(byte[] bytes, int from, int to) {
        String header;
        try {
            header = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a header that is not in UTF-8", e);
        }
        List<Field> fields = new ArrayList<>();
        for (String line : LINE_END.split(header, -1)) {
            int colon = line.indexOf(':');
            // An origin could treat a line that begins with two hyphens as a delimiter.
            if (colon < 1
                    || line.startsWith("--")
                    || !FieldSyntax.isName(line.substring(0, colon))
                    || hasControl(line)) {
                throw new IllegalArgumentException("a malformed header field");
            }
            fields.add(new Field(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        for (String once : List.of(DISPOSITION, "content-type", "content-transfer-encoding")) {
            if (fields.stream().filter(each -> each.name.equalsIgnoreCase(once)).count() > 1) {
                throw new IllegalArgumentException("more than one header field " + once);
            }
        }
        String disposition = value(fields, DISPOSITION);
        Parameters read = disposition == null ? null : Parameters.of(disposition);
        if (read == null || !read.value().equals("form-data") || read.all().get("name") == null) {
            throw new IllegalArgumentException("no header content-disposition with form-data and a name");
        }
        if (read.all().containsKey("name*") || read.all().containsKey("filename*")) {
            throw new IllegalArgumentException("an encoded name, which multipart/form-data does not permit");
        }
        String encoding = value(fields, "content-transfer-encoding");
        if (encoding != null && !UNENCODED.contains(encoding.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("a content-transfer-encoding, which the gateway can't decode");
        }
        return new Part(fields, read);
    }

    private static boolean hasControl(String text) {
        return text.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f);
    }

    private static @Nullable String value(List<Field> fields, String name) {
        return fields.stream()
                .filter(field -> field.name.equalsIgnoreCase(name))
                .map(Field::value)
                .findFirst()
                .orElse(null);
    }

    boolean isDropped() {
        return dropped;
    }

    /** Returns the transform of the content; null if the content stays unchanged. */
    @Nullable
    BodyTransform transform() {
        return transform;
    }

    /** Returns the changed header section without the blank line after it; null if the header section is unchanged. */
    byte @Nullable [] changedHeader() {
        if (!changed) {
            return null;
        }
        List<String> lines = new ArrayList<>();
        for (Field field : fields) {
            String value = field.name.equalsIgnoreCase(DISPOSITION)
                    ? "form-data; name=" + quoted(name) + "; filename=" + quoted(Objects.requireNonNull(filename))
                    : field.value;
            lines.add(field.name + ": " + value);
        }
        return String.join("\r\n", lines).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Quotes a text in the same way as browsers, because some recipients do not treat a backslash as an escape
     * character.
     */
    private static String quoted(String text) {
        return '"' + text.replace("\"", "%22") + '"';
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public @Nullable String getFilename() {
        return filename;
    }

    @Override
    public void setFilename(String other) {
        if (hasControl(other)) {
            throw new IllegalArgumentException("the file name contains a control character");
        }
        changed |= !other.equals(filename);
        filename = other;
    }

    @Override
    public @Nullable String getContentType() {
        return header("content-type");
    }

    @Override
    public @Nullable String header(String field) {
        return value(fields, field);
    }

    @Override
    public List<String> getHeaderNames() {
        return fields.stream().map(Field::name).toList();
    }

    @Override
    public void drop() {
        dropped = true;
    }

    @Override
    public void transform(BodyTransform by) {
        if (transform != null) {
            throw new IllegalStateException("the content of part " + name + " already has a transform");
        }
        transform = Objects.requireNonNull(by, "the transform is null");
    }

    @Override
    public void content(int max, Consumer<? super PartContent> action) {
        transform(new WholeContent(max, action));
    }
}
