package dev.lychgate.server.reload;

import dev.lychgate.server.history.ChangedFile;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.terminal.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The list of a generation's files with their digests. Paths of configuration files are relative to the directory of
 * the main file.
 *
 * @param config the digests of the configuration files, by path
 * @param patterns for each path of {@code include}, the files that matched the path
 * @param fingerprint the fingerprint of the filters; empty without a filter directory
 * @param filters the digests of the files in the filter directory, including jars, by path
 * @param libraries the digests of the jars of {@code filters.libraries}, by name
 */
record KeptList(
        String main,
        Map<String, String> config,
        Map<String, List<String>> patterns,
        String fingerprint,
        Map<String, String> filters,
        Map<String, String> libraries) {
    private static final Shape<KeptList> SHAPE = new Shape<KeptList>("KeptList")
            .text("main", "", KeptList::main)
            .field("config", Json.map(Json.TEXT), "", KeptList::config)
            .field("patterns", Json.map(Json.list(Json.TEXT)), "", KeptList::patterns)
            .text("fingerprint", "", KeptList::fingerprint)
            .field("filters", Json.map(Json.TEXT), "", KeptList::filters)
            .field("libraries", Json.map(Json.TEXT), "", KeptList::libraries);

    byte[] bytes() {
        return JsonText.bytes(SHAPE, this);
    }

    static KeptList of(byte[] bytes) throws IOException {
        JsonValue json = JsonValue.of(new String(bytes, StandardCharsets.UTF_8));
        Map<String, List<String>> patterns = new LinkedHashMap<>();
        JsonValue matches = json.get("patterns");
        matches.fields()
                .keySet()
                .forEach(pattern -> patterns.put(
                        pattern,
                        matches.list(pattern).stream().map(JsonValue::raw).toList()));
        return new KeptList(
                json.get("main").raw(),
                texts(json, "config"),
                patterns,
                json.get("fingerprint").raw(),
                texts(json, "filters"),
                texts(json, "libraries"));
    }

    private static Map<String, String> texts(JsonValue json, String name) {
        Map<String, String> texts = new LinkedHashMap<>();
        json.get(name).fields().forEach((key, value) -> texts.put(key, value.raw()));
        return texts;
    }

    /** Returns the digests of all files. */
    Stream<String> digests() {
        return Stream.of(config, filters, libraries).flatMap(files -> files.values().stream());
    }

    /**
     * Returns whether this list contains the digests of all files that an entry of the history lists as added or
     * changed.
     */
    boolean hasAll(List<ChangedFile> files) {
        Set<String> all = digests().collect(Collectors.toSet());
        return files.stream().map(ChangedFile::sha256).allMatch(digest -> digest.isEmpty() || all.contains(digest));
    }
}
