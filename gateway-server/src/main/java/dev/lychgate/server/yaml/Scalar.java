package dev.lychgate.server.yaml;

import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A scalar value: its text after placeholders were replaced, and its type in YAML's core schema.
 *
 * @param kind the type of the text in the file
 */
record Scalar(String text, Kind kind) {
    enum Kind {
        TEXT,
        INTEGER,
        DECIMAL,
        BOOLEAN,
        NOTHING,
        /** The value of a placeholder. Environment variables have no types, so the value may have any of the other kinds. */
        OPEN
    }

    static Scalar of(ScalarNode node, Placeholders placeholders) {
        String raw = node.getValue();
        if (Placeholders.anyIn(raw)) {
            boolean escapedOnly = !raw.replace("$${", "").contains("${");
            return new Scalar(placeholders.fill(raw), escapedOnly ? Kind.TEXT : Kind.OPEN);
        }
        return new Scalar(raw, kind(node.getTag()));
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
}
