package dev.lychgate.server.yaml;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Secret;
import dev.lychgate.config.SecretNames;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A text, number or flag at one position of the file, or the absence of a value. The methods that read the value have a
 * parameter {@code standIn}. If the value is absent, they return {@code standIn}, the default. If the value is refused,
 * they record an error and also return {@code standIn}, so that further errors are found.
 */
class ScalarElement implements CrossReferences.Place {
    final Trail trail;
    final Position position;
    final @Nullable Node node;
    private final FileReading source;

    ScalarElement(FileReading source, Trail trail, @Nullable Node node, Position position) {
        this.source = source;
        this.trail = trail;
        this.node = node;
        this.position = position;
    }

    boolean present() {
        return node != null;
    }

    @Override
    public Trail trail() {
        return trail;
    }

    @Override
    public Position position() {
        return position;
    }

    @Override
    public String nameOrEmpty() {
        return present() ? text("") : "";
    }

    /** Returns whether this is text, or a placeholder for text from the environment. */
    boolean isText() {
        return node instanceof ScalarNode scalar
                && (scalar.getTag().equals(Tag.STR) || scalar.getValue().contains("${"));
    }

    /** Returns text that may have any form. */
    String text(String standIn) {
        return parsed(standIn, text -> text, false);
    }

    /** Returns text that messages never repeat, even if it is refused; null if there is no text. */
    @Nullable
    String secretOrNull() {
        Scalar scalar = permitted("text", true);
        if (scalar != null && !scalar.mayBe(Scalar.Kind.TEXT)) {
            refuse("***", "text; put it in quotes");
            return null;
        }
        return scalar == null ? null : scalar.text();
    }

    /**
     * Returns text in a specific form.
     *
     * @param form parses the text; throws IllegalArgumentException, whose message states the expected form
     */
    <T> T parsed(T standIn, Function<String, T> form) {
        return parsed(standIn, form, false);
    }

    <T> T parsed(T standIn, Function<String, T> form, boolean mayBeSecret) {
        Scalar scalar = permitted("text", mayBeSecret);
        if (scalar == null) {
            return standIn;
        }
        if (!scalar.mayBe(Scalar.Kind.TEXT)) {
            // The advice to use quotes is given only if the text would be accepted.
            T quoted = formed(scalar, standIn, form);
            if (quoted != standIn) {
                refuse(scalar.text(), "text; put it in quotes: \"" + scalar.text() + "\"");
            }
            return standIn;
        }
        return formed(scalar, standIn, form);
    }

    /** Returns text with a unit, or a bare 0: a duration or a size. */
    <T> T measured(T standIn, Function<String, T> form, boolean mayBeSecret) {
        Scalar scalar = permitted("a number with a unit", mayBeSecret);
        return scalar == null ? standIn : formed(scalar, standIn, form);
    }

    @SuppressWarnings("NullAway")
    Boolean flag(@Nullable Boolean standIn) {
        Scalar scalar = scalar("true or false");
        if (scalar == null) {
            return standIn;
        }
        boolean yes = scalar.text().equalsIgnoreCase("true");
        boolean flag = yes || scalar.text().equalsIgnoreCase("false");
        if (!scalar.mayBe(Scalar.Kind.BOOLEAN) || !flag) {
            String hint = flag ? " without quotes" : "; yes, no, on and off are text in YAML 1.2";
            refuse(scalar.text(), "true or false" + hint);
            return standIn;
        }
        return yes;
    }

    <T> T flag(Form<T> form, T standIn) {
        Boolean said = flag(null);
        return said == null ? standIn : form.parse().apply(said.toString());
    }

    @Nullable
    Integer number(Form<?> form) {
        List<String> words = form.choices();
        String expected = (words.isEmpty() ? "" : words.get(0) + ", or ") + "a whole number";
        Scalar scalar = scalar(expected);
        if (scalar == null) {
            return null;
        }
        Integer meant = words.isEmpty() ? null : (Integer) form.parse().apply(words.get(0));
        if (words.contains(scalar.text())) {
            return meant;
        }
        Integer number = whole(scalar, expected);
        if (number != null && number.equals(meant)) {
            // A word is accepted for this number. The number itself is refused, because its meaning would be unclear in
            // the file.
            refuse(scalar, form.accepted());
        }
        return number;
    }

    private @Nullable Integer whole(Scalar scalar, String expected) {
        boolean digits = scalar.text().matches("-?\\d+");
        if (!scalar.mayBe(Scalar.Kind.INTEGER) || !digits) {
            refuse(scalar.text(), expected + (digits ? " without quotes" : ""));
            return null;
        }
        if (!scalar.text().matches("-?\\d{1,9}")) {
            refuse(scalar.text(), expected + " of at most nine digits");
            return null;
        }
        return Integer.parseInt(scalar.text());
    }

    /**
     * Returns whether a value of the form may be a secret. Such a value is never displayed, or is marked as a secret
     * wherever it is stored. Regular expressions must not be secrets.
     */
    boolean permitsSecret(Form<?> form) {
        return switch (form.kind()) {
            case SECRET -> true;
            case TEXT ->
                trail.setting() && form.choices().isEmpty() && !form.words().equals(Form.REGEX.words());
            // The name of a property determines whether its value is masked.
            case AMOUNT -> form.isScalar() && SecretNames.isSecret(trail.last());
            default -> false;
        };
    }

    boolean isReference() {
        return node instanceof ScalarNode scalar && Placeholders.anySecretIn(scalar.getValue());
    }

    @SuppressWarnings("NullAway")
    static <T> T either(@Nullable T value, T standIn) {
        return value == null ? standIn : value;
    }

    /** Returns a value that must not be a secret. */
    private @Nullable Scalar scalar(String expected) {
        return permitted(expected, false);
    }

    /** Returns a value, and refuses a secret unless {@code mayBeSecret}. */
    @Nullable
    Scalar permitted(String expected, boolean mayBeSecret) {
        Scalar scalar = scalarOrSecret(expected);
        if (scalar == null || !scalar.isSecret()) {
            return scalar;
        }
        if (!mayBeSecret) {
            refuse(scalar, "a plain value or ${NAME}, because pages and logs show this value");
            return null;
        }
        source.secrets.accepted(trail.path(), scalar.text());
        return scalar;
    }

    @Nullable
    Scalar scalarOrSecret(String expected) {
        if (node == null) {
            return null;
        }
        if (!(node instanceof ScalarNode scalarNode)) {
            refuse(shown(), expected);
            return null;
        }
        try {
            Scalar scalar = Scalar.of(scalarNode, source.placeholders, Path.of(position.in(source.file)));
            if (scalar.isSecret()) {
                source.secrets.found(position, trail.path(), scalar);
            }
            if (scalar.kind() != Scalar.Kind.NOTHING) {
                return scalar;
            }
            refuse("no value", expected + ", or the key left out");
        } catch (Placeholders.BadReference e) {
            source.faults.add(
                    within(scalarNode, e.offset),
                    trail.path(),
                    Placeholders.shown(scalarNode.getValue()),
                    String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            refuse(Placeholders.shown(scalarNode.getValue()), String.valueOf(e.getMessage()));
        }
        return null;
    }

    /**
     * Returns the position of a part of a value in the file. If this position cannot be determined, returns the
     * position of the value.
     */
    private Position within(ScalarNode scalar, int offset) {
        boolean plain = scalar.getScalarStyle() == ScalarStyle.PLAIN;
        boolean quoted = scalar.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED
                || scalar.getScalarStyle() == ScalarStyle.SINGLE_QUOTED;
        String before = scalar.getValue().substring(0, offset);
        if (!(plain || quoted) || before.chars().anyMatch(c -> c < 0x20 || "\\\"'".indexOf(c) >= 0)) {
            return position;
        }
        return new Position(position.file(), position.line(), position.column() + offset + (quoted ? 1 : 0));
    }

    private <T> T formed(Scalar scalar, T standIn, Function<String, T> form) {
        try {
            return form.apply(scalar.text());
        } catch (ConfigException e) {
            refuse(scalar, e.expected());
        } catch (IllegalArgumentException e) {
            boolean bare = scalar.kind() == Scalar.Kind.INTEGER || scalar.kind() == Scalar.Kind.DECIMAL;
            refuse(scalar, e.getMessage() + (bare ? "; a bare number has no unit" : ""));
        }
        return standIn;
    }

    /** Refuses a value. If it is a secret, the message contains its sources instead of the value. */
    void refuse(Scalar scalar, String expected) {
        refuse(scalar.shown(), scalar.isSecret() ? Secret.hide(expected, List.of(scalar.text())) : expected);
    }

    @Override
    public void refuse(String problem, String expected) {
        source.faults.add(position, trail.path(), problem, expected);
    }

    /** Returns a description of the value, for an error. */
    String shown() {
        if (node instanceof MappingNode) {
            return "a mapping";
        }
        if (node instanceof SequenceNode) {
            return "a list";
        }
        String text = node instanceof ScalarNode scalar ? Placeholders.shown(scalar.getValue()) : "";
        return text.isEmpty() ? "no value" : text;
    }
}
