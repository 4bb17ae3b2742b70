package dev.lychgate.server.yaml;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Quantity;
import dev.lychgate.config.Secret;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A value at one position of the file, with the values within it. */
final class Element extends ScalarElement {
    final Reading reading;

    Element(Reading reading, Trail trail, @Nullable Node node, Position position) {
        super(reading, trail, node, position);
        this.reading = reading;
    }

    /** Returns this element as the settings of a filter, in which any text may be a secret. */
    Element ofFilter() {
        return new Element(reading, trail.ofSettings(), node, position);
    }

    /**
     * Returns whether the value must be read as a mapping. The result is always true in a survey, which visits all
     * alternatives.
     */
    boolean isMapping() {
        return node instanceof MappingNode || reading.survey;
    }

    /** Returns this element, or an empty mapping if the value is {@code null}. */
    Element orEmpty() {
        if (node == null || !node.getTag().equals(Tag.NULL)) {
            return this;
        }
        Node empty = new MappingNode(Tag.MAP, true, List.of(), FlowStyle.FLOW, node.getStartMark(), node.getEndMark());
        return new Element(reading, trail, empty, position);
    }

    /** Returns a mapping in which this value has the key {@code key}, as if the file contained this mapping. */
    Element under(String name, String key) {
        Trail to = trail.key(name);
        if (node == null) {
            return new Element(reading, to, null, position);
        }
        Node keyNode = new ScalarNode(Tag.STR, true, key, ScalarStyle.PLAIN, node.getStartMark(), node.getEndMark());
        Node mapping = new MappingNode(
                Tag.MAP,
                true,
                List.of(new NodeTuple(keyNode, node)),
                FlowStyle.FLOW,
                node.getStartMark(),
                node.getEndMark());
        return new Element(reading, to, mapping, position);
    }

    boolean isList() {
        return node instanceof SequenceNode;
    }

    /**
     * Returns the value in a declared form.
     *
     * @param standIn the result if the value is absent or refused; null for an item of a list, which is then omitted
     */
    <T> T read(Form<T> form, T standIn) {
        T value = unchecked(form, standIn);
        if (node != null && value != standIn && !reading.faults.areWithin(trail.path())) {
            try {
                form.check(trail.last(), value);
            } catch (ConfigException e) {
                boolean number = form.kind() == Form.Kind.AMOUNT || form.kind() == Form.Kind.NUMBER;
                Scalar written = number || isReference() ? scalarOrSecret("") : null;
                if (written == null) {
                    refuse(e.value(), e.expected());
                } else {
                    refuse(written, e.expected());
                }
                return standIn;
            }
        }
        return value;
    }

    @SuppressWarnings({"unchecked", "NullAway"})
    private <T> T unchecked(Form<T> form, T standIn) {
        return switch (form.kind()) {
            case TEXT -> parsed(standIn, form.parse(), permitsSecret(form));
            case SECRET -> either((T) secretOrNull(), standIn);
            case FILE -> parsed(standIn, text -> (T) reading.path(position, text), false);
            case AMOUNT -> measured(standIn, form.parse(), permitsSecret(form));
            case NUMBER -> either((T) number(form), standIn);
            case FLAG -> node == null ? standIn : flag(form, standIn);
            case LIST -> list(form, standIn);
            case MAPPING -> present() || reading.survey ? (T) mapping(form.item()) : standIn;
            case SECTION -> section(form, standIn);
            case FILTER -> (T) reading.filters.apply(this, form.schema());
            case EXTENSION -> throw new IllegalStateException("an extension outside of a mapping by name");
            case PARTIAL -> partial(form, standIn);
        };
    }

    /**
     * Checks a group or default. {@link ConfigTree} has already copied the values to the places where they are read.
     */
    private <T> T partial(Form<T> form, T standIn) {
        entries(form.words().replaceFirst("the ", ""));
        return standIn;
    }

    @SuppressWarnings({"unchecked", "NullAway"})
    private <T> T list(Form<T> form, T standIn) {
        Form<Object> item = (Form<Object>) form.item();
        if (node instanceof SequenceNode || reading.survey) {
            List<Object> items = list("", each -> each.read(item, null));
            items.removeIf(Objects::isNull);
            return (T) (form.schema().equals("set") ? new LinkedHashSet<>(items) : items);
        }
        boolean single = node instanceof ScalarNode || (node instanceof MappingNode && item.kind() == Form.Kind.FILTER);
        if (single && form.schema().equals("one")) {
            Object only = read(item, null);
            return only == null ? standIn : (T) List.of(only);
        }
        if (node != null) {
            refuse(shown(), "a " + form.words().replace("`", ""));
        }
        return standIn;
    }

    @SuppressWarnings({"unchecked", "NullAway"})
    private <I> Map<String, I> mapping(Form<I> item) {
        if (item.kind() == Form.Kind.EXTENSION) {
            return (Map<String, I>) reading.extensions.apply(this);
        }
        Map<String, I> items =
                named(item.choices().isEmpty() ? item.words() + "s" : "words", each -> each.read(item, null));
        items.values().removeIf(Objects::isNull);
        return items;
    }

    @SuppressWarnings({"unchecked", "NullAway"})
    private <T> T section(Form<T> form, T standIn) {
        Form<T> word = (Form<T>) form.item();
        if (node instanceof MappingNode || reading.survey || (node != null && word == null)) {
            T made = section(s -> s.build(() -> form.section().apply(s)));
            return made == null ? standIn : made;
        }
        return node == null ? standIn : read(word, standIn);
    }

    <T> List<T> list(String of, Function<Element, T> item) {
        List<T> items = new ArrayList<>();
        if (reading.survey) {
            items.add(item.apply(new Element(reading, trail.index(0), null, position)));
        } else if (node instanceof SequenceNode sequence) {
            for (Node each : sequence.getValue()) {
                items.add(item.apply(new Element(reading, trail.index(items.size()), each, Position.of(each))));
            }
        } else if (node != null) {
            refuse(shown(), "a list of " + of);
        }
        return items;
    }

    /** Returns a mapping whose keys are names that the user chose. */
    <T> Map<String, T> named(String of, Function<Element, T> item) {
        return named(of, (name, value) -> item.apply(value));
    }

    /**
     * Works like {@link #named(String, Function)}.
     *
     * @param item receives the name and the value
     */
    <T> Map<String, T> named(String of, BiFunction<Element, Element, T> item) {
        Map<String, T> items = new LinkedHashMap<>();
        Map<String, Position> seen = new HashMap<>();
        if (reading.survey) {
            Element any = new Element(reading, trail.name("*"), null, position);
            items.put("*", item.apply(any, any));
        }
        for (NodeTuple entry : entries(of)) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                reading.faults.add(Position.of(entry.getKeyNode()), trail.path(), "a key that is not text", "a name");
                continue;
            }
            Trail named = trail.name(key.getValue());
            T value = item.apply(
                    new Element(reading, named, key, Position.of(key)),
                    new Element(reading, named, entry.getValueNode(), Position.of(entry.getValueNode())));
            Position earlier = seen.put(key.getValue(), Position.of(key));
            if (earlier != null) {
                String where = earlier.seenFrom(Position.of(key));
                reading.faults.add(
                        Position.of(key),
                        named.path(),
                        "duplicate key",
                        "each name once; " + where + " already has this name");
            }
            items.put(key.getValue(), value);
        }
        return items;
    }

    /** Returns the names in a mapping. */
    Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(tuple -> {
                if (tuple.getKeyNode() instanceof ScalarNode key) {
                    names.add(key.getValue());
                }
            });
        }
        return names;
    }

    /**
     * Reads a mapping that has a single key, which determines the kind of its value.
     *
     * @param reader receives the key and the value
     */
    <T> T single(String key, T standIn, BiFunction<Element, Element, T> reader) {
        List<NodeTuple> entries = entries(key);
        if (reading.survey || node == null) {
            return standIn;
        }
        if (entries.size() != 1 || !(entries.get(0).getKeyNode() instanceof ScalarNode word)) {
            refuse(Quantity.of(entries.size(), "key"), "a mapping of one key: " + key);
            return standIn;
        }
        Trail to = trail.key(word.getValue());
        Node value = entries.get(0).getValueNode();
        return reader.apply(
                new Element(reading, to, word, Position.of(word)), new Element(reading, to, value, Position.of(value)));
    }

    /** Reads a mapping of known keys. Afterwards, keys that {@code reader} did not request are refused. */
    <T> T section(Function<Section, T> reader) {
        Section section = new Section(reading, trail, position, isMapping(), entries("keys"));
        T result = reader.apply(section);
        section.refuseUnknownKeys();
        return result;
    }

    private List<NodeTuple> entries(String of) {
        if (node instanceof MappingNode mapping) {
            for (NodeTuple entry : mapping.getValue()) {
                if (entry.getKeyNode() instanceof ScalarNode key && Placeholders.anySecretIn(key.getValue())) {
                    reading.faults.add(
                            Position.of(key),
                            trail.path(),
                            "a reference in a key: " + Placeholders.shown(key.getValue()),
                            "references only in values");
                }
            }
            return mapping.getValue();
        }
        if (node != null) {
            refuse(shown(), "a mapping of " + of);
        }
        return List.of();
    }

    /**
     * Reads a mapping of values that have no declared form: numbers, flags, texts, lists and mappings. A value from the
     * environment is text. Refused entries are omitted.
     */
    Map<String, Object> rawMapping() {
        Map<String, Object> values = new LinkedHashMap<>();
        named("settings", Element::raw).forEach((name, value) -> value.ifPresent(present -> values.put(name, present)));
        return values;
    }

    private Optional<Object> raw() {
        if (node instanceof MappingNode) {
            return Optional.of(rawMapping());
        }
        if (node instanceof SequenceNode) {
            return Optional.of(list("values", Element::raw).stream()
                    .flatMap(Optional::stream)
                    .toList());
        }
        Scalar scalar = permitted("a value", true);
        if (scalar == null) {
            return Optional.empty();
        }
        if (scalar.isSecret()) {
            return Optional.of(new Secret(scalar.text()));
        }
        return Optional.of(
                switch (scalar.kind()) {
                    case BOOLEAN -> Boolean.valueOf(scalar.text());
                    case INTEGER -> number(scalar.text());
                    default -> scalar.text();
                });
    }

    private static Object number(String text) {
        if (text.matches("-?\\d{1,9}")) {
            return Integer.valueOf(text);
        }
        return text.matches("-?\\d{1,18}") ? Long.valueOf(text) : text;
    }
}
