package dev.lychgate.server.yaml;

import dev.lychgate.server.secrets.SecretReference;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A scalar value: its text after placeholders were replaced, and its type in YAML's core schema.
 *
 * @param kind the type as it is written
 * @param secrets the secrets in the text, by their references; if there is one, the whole text is secret
 * @param exposed the files of these secrets that every user of the machine can read
 */
record Scalar(String text, Kind kind, Map<SecretReference, String> secrets, List<Path> exposed) {
    enum Kind {
        TEXT,
        INTEGER,
        DECIMAL,
        BOOLEAN,
        NOTHING,
        /**
         * The value of a placeholder. Environment variables have no types, so the value may be read as any of the other
         * kinds.
         */
        OPEN
    }

    /** @param file the file that contains the value */
    static Scalar of(ScalarNode node, Placeholders placeholders, Path file) {
        String raw = node.getValue();
        if (Placeholders.anyIn(raw)) {
            boolean escapedOnly = !raw.replace("$${", "").contains("${");
            Placeholders.Filled filled = placeholders.fill(raw, file);
            return new Scalar(filled.text(), escapedOnly ? Kind.TEXT : Kind.OPEN, filled.secrets(), filled.exposed());
        }
        return new Scalar(raw, kind(node.getTag()), Map.of(), List.of());
    }

    private static Kind kind(Tag tag) {
        if (tag.equals(Tag.INT)) {
            return Kind.INTEGER;
        }
        if (tag.equals(Tag.FLOAT)) {
            return Kind.DECIMAL;
        }
        if (tag.equals(Tag.BOOL)) {
            return Kind.BOOLEAN;
        }
        return tag.equals(Tag.NULL) ? Kind.NOTHING : Kind.TEXT;
    }

    boolean mayBe(Kind wanted) {
        return kind == wanted || kind == Kind.OPEN;
    }

    boolean isSecret() {
        return !secrets.isEmpty();
    }

    /** Returns the text for messages, with the sources of a secret in place of its value. */
    String shown() {
        return isSecret()
                ? secrets.keySet().stream()
                        .map(SecretReference::toString)
                        .collect(Collectors.joining(" and ", "value from ", ""))
                : text;
    }

    @Override
    public String toString() {
        return shown();
    }
}
