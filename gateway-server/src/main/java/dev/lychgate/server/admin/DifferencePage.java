package dev.lychgate.server.admin;

import dev.lychgate.server.admin.ConfigDifference.Change;
import dev.lychgate.server.admin.Generations.Content;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code /generations/diff}: the differences of two retained generations. */
final class DifferencePage {
    private static final int MOST_CHANGES = 1000;
    private static final int MOST_LINES = 1000;

    static final Parameter<Long> FROM =
            Parameter.needed("from", GenerationPages.NUMBER, "the number of a generation that is kept");
    static final Parameter<Long> TO =
            Parameter.needed("to", GenerationPages.NUMBER, "the number of another generation");

    /** @param changes of the configuration */
    record Difference(long from, long to, Content before, Content after, List<Change> changes) {
        private boolean certificates() {
            return !before.certificates().equals(after.certificates());
        }
    }

    /** @param was its old text; null if it is new. @param is its new text; null if it was removed */
    private record ChangedFile(
            String path, @Nullable String was, @Nullable String is, List<String> lines) {
        private String change() {
            return was == null ? "added" : is == null ? "removed" : "changed";
        }

        private List<String> shown() {
            return first(MOST_LINES, lines).stream().map(Secrets::inCode).toList();
        }
    }

    private static final Shape<Change> CHANGE = new Shape<Change>("ConfigChange")
            .text("key", "Its path from the top of the configuration.", Change::key)
            .optional("from", Json.TEXT, "The earlier value; missing if there was none.", Change::from)
            .optional("to", Json.TEXT, "The later value; missing if there is none.", Change::to);

    private static final Shape<ChangedFile> FILE = new Shape<ChangedFile>("FileChange")
            .text("path", "Its path below the filter directory.", ChangedFile::path)
            .field("change", Json.words("added", "removed", "changed"), "The kind of change.", ChangedFile::change)
            .list("lines", Json.TEXT, "The changed lines, each after - or +.", ChangedFile::shown)
            .flag("lines_cut", "Whether there are more.", file -> file.lines.size() > MOST_LINES);

    static final Shape<Difference> SHAPE = new Shape<Difference>(
                    "Difference", "The differences between two generations.")
            .integer("from", "The number of the first generation.", Difference::from)
            .integer("to", "The number of the second generation.", Difference::to)
            .list("config", CHANGE, "Values of the configuration.", all -> first(MOST_CHANGES, all.changes))
            .flag("config_cut", "Whether there are more.", all -> all.changes.size() > MOST_CHANGES)
            .flag("certificates", "Whether files of certificates, keys or tokens differ.", Difference::certificates)
            .list("files", FILE, "Files of the filter directory.", DifferencePage::files);

    private DifferencePage() {}

    static Difference of(Generations generations, Parameters given) throws Rejection {
        long from = given.needed(FROM);
        long to = given.needed(TO);
        Content before = generations.content(from);
        Content after = generations.content(to);
        if (before == null || after == null) {
            throw Rejection.notFound("one of these generations is not kept; see /generations");
        }
        return new Difference(
                from,
                to,
                before,
                after,
                ConfigDifference.between(ConfigPage.tree(before.config()), ConfigPage.tree(after.config())));
    }

    private static List<ChangedFile> files(Difference all) {
        Set<String> paths = new TreeSet<>(all.before.filters().keySet());
        paths.addAll(all.after.filters().keySet());
        return paths.stream()
                .filter(path -> !Objects.equals(
                        all.before.filters().get(path), all.after.filters().get(path)))
                .map(path -> file(
                        path,
                        all.before.filters().get(path),
                        all.after.filters().get(path)))
                .toList();
    }

    private static ChangedFile file(String path, @Nullable String was, @Nullable String is) {
        List<String> lines = LineDifference.between(was == null ? "" : was, is == null ? "" : is);
        return new ChangedFile(path, was, is, lines);
    }

    private static <T> List<T> first(int most, List<T> all) {
        return all.subList(0, Math.min(all.size(), most));
    }
}
