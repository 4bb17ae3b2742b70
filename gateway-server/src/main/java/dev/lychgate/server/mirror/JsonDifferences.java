package dev.lychgate.server.mirror;

import dev.lychgate.config.SecretNames;
import dev.lychgate.http.Redaction;
import dev.lychgate.server.metrics.MirrorTally;
import dev.lychgate.server.mirror.JsonDocument.Numeral;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the differences between two JSON documents. Objects are compared by property, and arrays by position. In the
 * result, {@code [*]} replaces each index, so that equal differences of several items count as one.
 */
final class JsonDifferences {
    /** The maximum number of differences for one pair of documents. */
    static final int MOST = 32;

    private static final int LONGEST_NAME = 32;
    private static final int LONGEST_PATH = 256;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
    private static final String MISSING = "missing";

    private final Redaction redaction;
    private final Map<String, Difference> found = new LinkedHashMap<>();
    private final StringBuilder path = new StringBuilder("$");

    private JsonDifferences(Redaction redaction) {
        this.redaction = redaction;
    }

    static List<Difference> between(Object primary, Object shadow, IgnoredPaths ignored, Redaction redaction) {
        JsonDifferences differences = new JsonDifferences(redaction);
        differences.compare(primary, shadow, ignored, false);
        return List.copyOf(differences.found.values());
    }

    /**
     * @param hidden whether the redaction hides this value
     * @param primary the value in the response of the route's origin; null if the value is missing
     * @param shadow the value in the response to the copy; null if the value is missing
     */
    private void compare(@Nullable Object primary, @Nullable Object shadow, IgnoredPaths ignored, boolean hidden) {
        if (found.size() == MOST || ignored.ignoreThis()) {
            return;
        }
        if (primary instanceof Map<?, ?> first && shadow instanceof Map<?, ?> second) {
            compareObjects(first, second, ignored, hidden);
        } else if (primary instanceof List<?> first && shadow instanceof List<?> second) {
            compareArrays(first, second, ignored, hidden);
        } else if (!isSame(primary, shadow)) {
            add(text(primary, hidden), text(shadow, hidden));
        }
    }

    private void compareObjects(Map<?, ?> primary, Map<?, ?> shadow, IgnoredPaths ignored, boolean hidden) {
        primary.forEach((name, value) -> compareProperty((String) name, value, shadow.get(name), ignored, hidden));
        shadow.forEach((name, value) -> {
            if (!primary.containsKey(name)) {
                compareProperty((String) name, null, value, ignored, hidden);
            }
        });
    }

    private void compareProperty(
            String name, @Nullable Object primary, @Nullable Object shadow, IgnoredPaths ignored, boolean hidden) {
        int length = path.length();
        append(name);
        compare(primary, shadow, ignored.property(name), hidden || isHidden(name));
        path.setLength(length);
    }

    private void compareArrays(List<?> primary, List<?> shadow, IgnoredPaths ignored, boolean hidden) {
        int length = path.length();
        path.append("[*]");
        for (int i = 0; i < Math.max(primary.size(), shadow.size()); i++) {
            compare(
                    i < primary.size() ? primary.get(i) : null,
                    i < shadow.size() ? shadow.get(i) : null,
                    ignored.item(i),
                    hidden);
        }
        path.setLength(length);
    }

    private static boolean isSame(@Nullable Object primary, @Nullable Object shadow) {
        if (primary instanceof Numeral first && shadow instanceof Numeral second) {
            return first.isSame(second);
        }
        return primary != null && primary.equals(shadow);
    }

    /**
     * Appends a name to the path, or {@code *} if the name is not an identifier. A name that is not an identifier may
     * be data of a client, such as an address, and each of these names would form a separate group of differences.
     */
    private void append(String name) {
        if (name.length() <= LONGEST_NAME && PLAIN.matcher(name).matches()) {
            path.append('.').append(name);
        } else {
            path.append(".*");
        }
    }

    private boolean isHidden(String name) {
        return SecretNames.isSecret(name)
                || redaction.hides(name)
                || Redaction.MASK.equals(
                        String.valueOf(redaction.query(name + "=x")).replaceFirst("^.*=", ""));
    }

    /** Masks the user and the secret parameters of a URL. Texts are redacted before they are shortened. */
    private String shown(String text) {
        return redaction.url(SecretNames.withoutUserInfo(text));
    }

    private void add(String primary, String shadow) {
        String subject = path.length() > LONGEST_PATH ? path.substring(0, LONGEST_PATH) + "..." : path.toString();
        found.putIfAbsent(subject, new Difference(MirrorTally.Kind.JSON, subject, primary, shadow));
    }

    private String text(@Nullable Object value, boolean hidden) {
        if (value == null) {
            return MISSING;
        }
        if (value instanceof Map<?, ?> map) {
            return "object with " + map.size() + " properties";
        }
        if (value instanceof List<?> list) {
            return "array with " + list.size() + " items";
        }
        if (hidden) {
            return Redaction.MASK;
        }
        return value instanceof String text ? '"' + Excerpt.of(shown(text)) + '"' : Excerpt.of(value.toString());
    }
}
