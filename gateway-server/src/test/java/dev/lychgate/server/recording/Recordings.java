package dev.lychgate.server.recording;

import dev.lychgate.server.recording.Recording.Body;
import dev.lychgate.server.recording.Recording.Call;
import dev.lychgate.server.recording.Recording.Change;
import dev.lychgate.server.recording.Recording.Fault;
import dev.lychgate.server.recording.Recording.Field;
import dev.lychgate.server.recording.Recording.Place;
import dev.lychgate.server.recording.Recording.Request;
import dev.lychgate.server.recording.Recording.Response;
import dev.lychgate.server.recording.Recording.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Recorded exchanges for tests. */
final class Recordings {
    private Recordings() {}

    static Body body(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Body(bytes.length, bytes, false, null);
    }

    /** An exchange with a value of every kind. */
    static Recording exchange(String id) {
        List<Field> fields = List.of(new Field("content-type", "application/json"), new Field("x-tenant", "t-\u00e4"));
        Request request = new Request("POST", "/orders", "a=1", "shop.example", fields, body("{\"n\":1}"));
        Response response = new Response(201, fields, new Body(3, new byte[] {(byte) 0xff, 0, 1}, true, null));
        return new Recording(
                id,
                1_700_000_000_000L,
                1_234,
                Long.MIN_VALUE + 1,
                new Place("main", "127.0.0.1", true, 7, "digest", "api", "orders", null, List.of("orders")),
                request,
                response,
                List.of(
                        new Call("users", request, response, null),
                        new Call("users", request, null, "connect-refused")),
                List.of(new Step("Auth", "global", 5, 9, "proceed", Map.of("x-user", new Change(null, "alice")))),
                response,
                new Fault("internal", "local", "a filter failed"),
                List.of("authorization"));
    }

    static List<String> ids(Path file, @Nullable RecordingKey key) throws IOException {
        List<String> ids = new ArrayList<>();
        try (RecordingReader reader = RecordingReader.open(file, key)) {
            for (Recording next = reader.next(); next != null; next = reader.next()) {
                ids.add(next.id());
            }
        }
        return ids;
    }

    static void write(Path file, @Nullable RecordingKey key, String... ids) throws IOException {
        try (RecordingWriter writer = RecordingWriter.open(file, key)) {
            for (String id : ids) {
                writer.add(RecordingJson.line(exchange(id)));
                writer.flush();
            }
        }
    }
}
