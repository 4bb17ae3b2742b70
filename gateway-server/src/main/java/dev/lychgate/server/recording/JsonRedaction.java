package dev.lychgate.server.recording;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.lychgate.config.SecretNames;
import dev.lychgate.http.Redaction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Masks members of JSON bodies at declared paths, and members whose names suggest a secret. Only whole values are
 * masked, so an object or array at a path becomes one mask. Paths have these parts:
 *
 * <ul>
 *   <li>{@code $.a.b}: a member of a member
 *   <li>{@code [*]}: all elements of an array
 *   <li>{@code $..name}: all members with this name, at any depth
 * </ul>
 *
 * Immutable.
 */
final class JsonRedaction {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(500).build())
            .build();

    /** The part of a path that matches all elements of an array. */
    private static final String ANY = "*";

    private final List<List<String>> paths = new ArrayList<>();
    private final List<String> anywhere = new ArrayList<>();

    /** @throws IllegalArgumentException if a path is malformed */
    JsonRedaction(List<String> paths) {
        for (String path : paths) {
            if (path.matches("\\$\\.\\.[^.\\[\\]]+")) {
                anywhere.add(path.substring(3));
            } else if (path.matches("\\$(\\[\\*]|\\.[^.\\[\\]]+)+")) {
                this.paths.add(List.of(
                        path.substring(1).replace("[*]", "." + ANY).substring(1).split("\\.", -1)));
            } else {
                throw new IllegalArgumentException("$.member, $.list[*].member or $..member");
            }
        }
    }

    /**
     * The redacted text.
     *
     * @param whole whether the whole text was JSON; if not, the redacted text ends before the first malformed value
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Redacted(byte[] text, boolean whole) {}

    /**
     * Masks a JSON text.
     *
     * @param onMasked receives the name and the value of each masked member. For an object or an array, the value is
     *     null, and further calls with the same name report the values within it
     */
    Redacted mask(byte[] text, BiConsumer<String, @Nullable String> onMasked) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length);
        boolean whole = true;
        try (JsonGenerator to = FACTORY.createGenerator(out)) {
            to.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
            try (JsonParser from = FACTORY.createParser(text)) {
                copy(from, to, onMasked);
            } catch (IOException e) {
                whole = false;
            }
        } catch (IOException e) {
            whole = false;
        }
        return new Redacted(out.toByteArray(), whole);
    }

    private void copy(JsonParser from, JsonGenerator to, BiConsumer<String, @Nullable String> onMasked)
            throws IOException {
        Deque<String> at = new ArrayDeque<>();
        for (JsonToken token = from.nextToken(); token != null; token = from.nextToken()) {
            switch (token) {
                case START_OBJECT -> to.writeStartObject();
                case END_OBJECT -> {
                    to.writeEndObject();
                    leave(from, at);
                }
                case START_ARRAY -> {
                    to.writeStartArray();
                    at.addLast(ANY);
                }
                case END_ARRAY -> {
                    to.writeEndArray();
                    at.removeLast();
                    leave(from, at);
                }
                case FIELD_NAME -> {
                    String name = from.currentName();
                    to.writeFieldName(name);
                    at.addLast(name);
                    if (isMasked(name, at)) {
                        to.writeString(Redaction.MASK);
                        skip(name, from, onMasked);
                        at.removeLast();
                    }
                }
                default -> {
                    to.copyCurrentEvent(from);
                    leave(from, at);
                }
            }
        }
    }

    /** Skips the value of a masked member and reports it. */
    private static void skip(String name, JsonParser from, BiConsumer<String, @Nullable String> onMasked)
            throws IOException {
        int depth = 0;
        do {
            JsonToken token = from.nextToken();
            if (token == null) {
                return;
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            boolean scalar = token.isScalarValue();
            if (scalar || token.isStructStart()) {
                onMasked.accept(name, scalar ? from.getText() : null);
            }
        } while (depth > 0);
    }

    /** Removes the name of a member from the path after the value of the member ended. */
    private static void leave(JsonParser from, Deque<String> at) {
        if (from.getParsingContext().inObject() && !at.isEmpty()) {
            at.removeLast();
        }
    }

    private boolean isMasked(String name, Deque<String> at) {
        if (SecretNames.isSecret(name) || anywhere.contains(name)) {
            return true;
        }
        return paths.stream().anyMatch(path -> path.size() == at.size() && matches(path, at));
    }

    private static boolean matches(List<String> path, Deque<String> at) {
        Iterator<String> names = at.iterator();
        return path.stream().allMatch(name -> name.equals(names.next()));
    }
}
