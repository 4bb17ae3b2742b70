package dev.lychgate.server.history;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.terminal.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of the history. Immutable.
 *
 * @param previous the digest of the previous line; {@link Digest#NONE} for the first line of the history
 * @param number the number of the entry, from 1 and without gaps; 0 if the entry could not be written
 * @param hash the digest of the line of this entry; empty if the entry could not be written
 */
public record Entry(String previous, long number, Change change, String hash) {
    private static final byte[] BEGIN = "{\"previous\":\"".getBytes(StandardCharsets.US_ASCII);

    private static final Shape<ChangedFile> FILE = new Shape<ChangedFile>("ChangedFile")
            .text(
                    "path",
                    "The path relative to the configuration; filters: precedes files of the filter directory.",
                    ChangedFile::path)
            .field(
                    "change",
                    Json.words("added", "changed", "removed"),
                    "The kind of the difference.",
                    ChangedFile::kind)
            .optionalText("sha256", "The digest of the content of the file.", ChangedFile::sha256);

    private static final Shape<Entry> LINE = members(new Shape<>("HistoryLine", "A line of the file of the history."));

    /** An entry in the form that the admin listener shows: the members of its line, and the digest of the line. */
    public static final Shape<Entry> SHAPE = members(new Shape<>("Change", "An entry of the history of changes."))
            .optionalText(
                    "hash",
                    "The SHA-256 of the line of the entry, with the line feed; the next line contains it.",
                    Entry::hash);

    /** A list of entries in the form that the admin listener shows. */
    public static final Shape<List<Entry>> PAGE = new Shape<List<Entry>>(
                    "History", "Entries of the history of changes.")
            .list("entries", SHAPE, "The newest first.", entries -> entries);

    private static Shape<Entry> members(Shape<Entry> shape) {
        JsonType<Map<String, ? extends String>> texts = Json.map(Json.TEXT);
        return shape.text("previous", "The SHA-256 of the previous line.", Entry::previous)
                .integer("number", "The number of the entry, without gaps.", Entry::number)
                .field("time", Json.TIME, "The time at which the change ended.", entry -> entry.change.time())
                .text("action", "What was changed.", entry -> entry.change.action())
                .text("verdict", "The result in a word.", entry -> entry.change.verdict())
                .text(
                        "by",
                        "admin, cli, watch, signal, fleet or gateway.",
                        entry -> entry.change.author().by())
                .optionalText(
                        "operator",
                        "The operator.",
                        entry -> entry.change.author().operator())
                .optionalText(
                        "address", "The client.", entry -> entry.change.author().address())
                .optionalText(
                        "proof",
                        "The credential.",
                        entry -> entry.change.author().proof())
                .optional(
                        "arguments",
                        texts,
                        "The parameters of the request.",
                        entry -> entry.change.parameters().isEmpty() ? null : entry.change.parameters())
                .optional("from", Json.INTEGER, "The generation before.", entry -> positive(entry.change.from()))
                .optional("to", Json.INTEGER, "The generation after.", entry -> positive(entry.change.to()))
                .optional(
                        "files",
                        Json.list(FILE),
                        "The files that differ.",
                        entry -> entry.change.files().isEmpty() ? null : entry.change.files())
                .optional(
                        "more_files",
                        Json.INTEGER,
                        "The number of further files that differ.",
                        entry -> positive(entry.change.moreFiles()))
                .optionalText(
                        "kept",
                        "The digest under which the files of the generation are kept.",
                        entry -> entry.change.kept())
                .integer("milliseconds", "The duration.", entry -> entry.change.millis())
                .optionalText("reason", "An explanation in words.", entry -> entry.change.reason());
    }

    private static @Nullable Number positive(long number) {
        return number > 0 ? number : null;
    }

    /** Returns the entry for a change that continues the chain. */
    static Entry next(String previous, long number, Change change) {
        Entry open = new Entry(previous, number, change, "");
        return new Entry(previous, number, change, Digest.of(open.line()));
    }

    /** Returns the line of this entry: ASCII text with escaped control characters and a final line feed. */
    byte[] line() {
        return JsonText.bytes(LINE, this);
    }

    /**
     * Returns whether an incomplete line may be the beginning of an entry. The result is also true for zeros, which a
     * power failure may leave.
     */
    static boolean mayBegin(byte[] line) {
        int same = Arrays.mismatch(line, BEGIN);
        return same < 0 || same == Math.min(line.length, BEGIN.length) || line[0] == 0;
    }

    /**
     * Parses a line.
     *
     * @throws IOException if the line is not an entry
     */
    static Entry parse(byte[] line) throws IOException {
        JsonValue json = JsonValue.of(new String(line, StandardCharsets.UTF_8));
        if (!json.has("previous") || json.number("number") < 1 || !json.has("action")) {
            throw new IOException("the line is not an entry");
        }
        Instant time;
        try {
            time = Instant.parse(json.get("time").raw());
        } catch (DateTimeException e) {
            throw new IOException("the time of the entry is malformed", e);
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        json.get("arguments").fields().forEach((name, value) -> parameters.put(name, value.raw()));
        List<ChangedFile> files = json.list("files").stream()
                .map(file -> new ChangedFile(
                        file.get("path").raw(),
                        file.get("change").raw(),
                        file.get("sha256").raw()))
                .toList();
        Change change = new Change(
                time,
                json.get("action").raw(),
                new Author(
                        json.get("by").raw(),
                        json.get("operator").raw(),
                        json.get("address").raw(),
                        json.get("proof").raw()),
                parameters,
                (long) json.number("from"),
                (long) json.number("to"),
                files,
                (int) json.number("more_files"),
                json.get("kept").raw(),
                json.get("verdict").raw(),
                (long) json.number("milliseconds"),
                json.get("reason").raw());
        return new Entry(json.get("previous").raw(), (long) json.number("number"), change, Digest.of(line));
    }
}
