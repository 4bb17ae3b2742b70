package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filters.coding.ContentCoding;
import java.util.ArrayList;
import java.util.List;

/** What settings say of codings. */
final class Codings {
    private Codings() {}

    /**
     * The codings of a list, in its order.
     *
     * @throws ConfigException if one is unknown, stands there twice, or was asked for by name and can't be used on this machine;
     *     one that is in the default alone is left out then
     */
    static List<ContentCoding> of(Settings settings, String key) {
        List<ContentCoding> codings = new ArrayList<>();
        for (String token : settings.texts(key)) {
            ContentCoding coding = ContentCoding.of(token);
            if (coding == null || codings.contains(coding)) {
                throw new ConfigException(key, token, "each of zstd, br, gzip and deflate once at most");
            }
            if (coding.isAvailable()) {
                codings.add(coding);
            } else if (settings.isSaid(key)) {
                throw new ConfigException(key, token, "a coding whose library can be loaded on this machine");
            }
        }
        if (codings.isEmpty()) {
            throw new ConfigException(key, settings.texts(key), "one coding at least");
        }
        return List.copyOf(codings);
    }

    /** Their names, as they stand in a field. */
    static String tokens(List<ContentCoding> codings) {
        return String.join(", ", codings.stream().map(ContentCoding::token).toList());
    }

    /** How hard {@code coding} tries. @throws ConfigException if it knows no such level */
    static int level(Settings settings, String key, ContentCoding coding) {
        int level = settings.number(key);
        if (level < coding.lowestLevel() || level > coding.highestLevel()) {
            throw new ConfigException(key, level, coding.lowestLevel() + " to " + coding.highestLevel());
        }
        return level;
    }
}
