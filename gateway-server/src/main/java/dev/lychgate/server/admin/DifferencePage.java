package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.server.admin.ConfigDifference.Change;
import dev.lychgate.server.admin.Generations.Content;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code /generations/diff}: what is different between two generations that are kept. */
final class DifferencePage {
    private static final int MOST_CHANGES = 1000;
    private static final int MOST_LINES = 1000;

    private DifferencePage() {}

    static AdminAnswer of(Generations generations, Parameters given) {
        long from = GenerationActions.number(given.needed("from"));
        long to = GenerationActions.number(given.needed("to"));
        if (from < 0 || to < 0) {
            return AdminAnswer.malformed("from and to are numbers");
        }
        Content before = generations.content(from);
        Content after = generations.content(to);
        if (before == null || after == null) {
            return AdminAnswer.notFound("one of these generations is not kept; see /generations");
        }
        List<Change> changes = ConfigDifference.between(ConfigTree.of(before.config()), ConfigTree.of(after.config()));
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            json.writeNumberField("from", from);
            json.writeNumberField("to", to);
            json.writeArrayFieldStart("config");
            for (Change change : changes.subList(0, Math.min(changes.size(), MOST_CHANGES))) {
                json.writeStartObject();
                json.writeStringField("key", change.key());
                write(json, "from", change.from());
                write(json, "to", change.to());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeBooleanField("config_cut", changes.size() > MOST_CHANGES);
            json.writeBooleanField("certificates", !before.certificates().equals(after.certificates()));
            files(json, before, after);
            json.writeEndObject();
        });
    }

    private static void files(JsonGenerator json, Content before, Content after) throws IOException {
        Set<String> paths = new TreeSet<>(before.filters().keySet());
        paths.addAll(after.filters().keySet());
        json.writeArrayFieldStart("files");
        for (String path : paths) {
            String was = before.filters().get(path);
            String is = after.filters().get(path);
            if (was == null || !was.equals(is)) {
                file(json, path, was, is);
            }
        }
        json.writeEndArray();
    }

    private static void file(JsonGenerator json, String path, @Nullable String was, @Nullable String is)
            throws IOException {
        List<String> lines = LineDifference.between(was == null ? "" : was, is == null ? "" : is);
        json.writeStartObject();
        json.writeStringField("path", path);
        json.writeStringField("change", was == null ? "added" : is == null ? "removed" : "changed");
        json.writeArrayFieldStart("lines");
        for (String line : lines.subList(0, Math.min(lines.size(), MOST_LINES))) {
            json.writeString(Secrets.inCode(line));
        }
        json.writeEndArray();
        json.writeBooleanField("lines_cut", lines.size() > MOST_LINES);
        json.writeEndObject();
    }

    /** What was not there is not named. */
    private static void write(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeStringField(name, value);
        }
    }
}
