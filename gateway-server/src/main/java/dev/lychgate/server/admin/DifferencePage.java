package dev.lychgate.server.admin;

import dev.lychgate.server.admin.ConfigDifference.Change;
import dev.lychgate.server.admin.Generations.Content;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.yaml.ReferredSecrets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * {@code /generations/diff}: the differences between two retained generations, or between a retained generation and the
 * files.
 */
final class DifferencePage {
    private static final int MOST_CHANGES = 1000;
    private static final int MOST_LINES = 1000;
    private static final String NOT_KEPT = "one of these generations is not kept; see /generations";

    static final Parameter<Long> FROM = Parameter.optional(
            "from", GenerationPages.NUMBER, "the number of a kept generation; default the running generation");
    static final Parameter<Long> TO = Parameter.optional(
            "to", GenerationPages.NUMBER, "the number of another kept generation; default the files");

    /**
     * @param to number of the second generation; null for the files
     * @param parts changed parts of the configuration
     * @param changes changed values of the configuration
     * @param other for the running generation and the files, whether they differ at all; otherwise false. They can
     *     differ although {@code parts} and {@code changes} are empty, for example in the content of a file that a
     *     setting names.
     */
    record Difference(
            long from,
            @Nullable Long to,
            Content before,
            Content after,
            List<ChangedPart> parts,
            List<Change> changes,
            boolean other) {
        static Difference of(long from, @Nullable Long to, Content before, Content after, boolean other) {
            Object was = ConfigPage.tree(before.config());
            Object is = ConfigPage.tree(after.config());
            return new Difference(
                    from, to, before, after, ChangedPart.between(was, is), ConfigDifference.between(was, is), other);
        }

        private boolean certificates() {
            return !before.certificates().equals(after.certificates());
        }

        private List<String> secrets() {
            return ReferredSecrets.changed(before.secrets(), after.secrets());
        }

        private boolean any() {
            return other
                    || !parts.isEmpty()
                    || !changes.isEmpty()
                    || certificates()
                    || !secrets().isEmpty()
                    || !before.filters().equals(after.filters());
        }
    }

    /**
     * @param was the old text; null if the file is new
     * @param is the new text; null if the file was removed
     */
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
            .text("key", "The path of the value from the top of the configuration.", Change::key)
            .optional("from", Json.TEXT, "The earlier value; missing if the key had no value.", Change::from)
            .optional("to", Json.TEXT, "The later value; missing if the key has no value.", Change::to);

    private static final Shape<ChangedPart> PART = new Shape<ChangedPart>("ConfigPart")
            .field(
                    "kind",
                    Json.words("route", "upstream", "listener", "property", "extension", "section", "order"),
                    "The kind of the part.",
                    ChangedPart::kind)
            .text("name", "The name of the part; for a section, the key.", ChangedPart::name)
            .field(
                    "change",
                    Json.words(ChangedPart.ADDED, ChangedPart.REMOVED, ChangedPart.CHANGED),
                    "The kind of change.",
                    ChangedPart::change);

    private static final Shape<ChangedFile> FILE = new Shape<ChangedFile>("FileChange")
            .text("path", "The path of the file below the filter directory.", ChangedFile::path)
            .field("change", Json.words("added", "removed", "changed"), "The kind of change.", ChangedFile::change)
            .list("lines", Json.TEXT, "The removed and added lines, each with a leading - or +.", ChangedFile::shown)
            .flag("lines_cut", "Whether there are more lines than these.", file -> file.lines.size() > MOST_LINES);

    static final Shape<Difference> SHAPE = new Shape<Difference>(
                    "Difference", "The differences between two generations, or between one and the files.")
            .integer("from", "The number of the first generation.", Difference::from)
            .optional("to", Json.INTEGER, "The number of the other generation; missing for the files.", Difference::to)
            .flag("differs", "Whether there is any difference.", Difference::any)
            .list("parts", PART, "The changed parts of the configuration.", all -> first(MOST_CHANGES, all.parts))
            .list("config", CHANGE, "The changed values of the configuration.", all -> first(MOST_CHANGES, all.changes))
            .flag(
                    "config_cut",
                    "Whether there are more changed values than these.",
                    all -> all.changes.size() > MOST_CHANGES)
            .flag(
                    "certificates",
                    "Whether files of certificates, keys, tokens or address lists differ.",
                    Difference::certificates)
            .list(
                    "secrets",
                    Json.TEXT,
                    "References whose secret has changed, such as file:secrets/token.",
                    Difference::secrets)
            .list("files", FILE, "The changed files of the filter directory.", DifferencePage::files);

    private DifferencePage() {}

    /**
     * Responds with the difference between two generations or, without {@link #TO}, between a generation and the files.
     *
     * @param proposals reads the files; the thread that reads them also computes their difference
     */
    static CompletableFuture<AdminResponse> answer(
            Generations generations, Proposals proposals, Parameters given, SlowPages slow) {
        Long from = given.optional(FROM);
        Long to = given.optional(TO);
        return to != null
                ? slow.make(() -> json(of(generations, from == null ? running(generations) : from, to)))
                : proposals.compare().thenApply(result -> answer(generations, from, result));
    }

    private static AdminResponse answer(Generations generations, @Nullable Long from, Proposals.Result result) {
        if (result instanceof Proposals.Result.Refused refusal) {
            return AdminResponse.refused(refusal.faults());
        }
        Proposals.Result.Proposed files = (Proposals.Result.Proposed) result;
        if (from == null || from == files.running()) {
            return json(of(files));
        }
        Content before = generations.content(from);
        return before == null
                ? AdminResponse.notFound(NOT_KEPT)
                : json(Difference.of(from, null, before, files.after(), false));
    }

    private static AdminResponse json(Difference difference) {
        return AdminResponse.json(SHAPE, difference);
    }

    /** Returns the difference between the running generation and the files. */
    static Difference of(Proposals.Result.Proposed files) {
        return Difference.of(files.running(), null, files.before(), files.after(), files.changes());
    }

    private static long running(Generations generations) {
        return generations.kept().stream()
                .filter(Generations.Kept::running)
                .mapToLong(Generations.Kept::number)
                .findFirst()
                .orElse(0);
    }

    private static Difference of(Generations generations, long from, long to) throws Rejection {
        Content before = generations.content(from);
        Content after = generations.content(to);
        if (before == null || after == null) {
            throw Rejection.notFound(NOT_KEPT);
        }
        return Difference.of(from, to, before, after, false);
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
