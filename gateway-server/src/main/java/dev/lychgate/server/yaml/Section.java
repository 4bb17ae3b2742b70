package dev.lychgate.server.yaml;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Durations;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A mapping of known keys. A key is known because it was asked for: nothing else lists them. */
final class Section {
    private final Reading reading;
    private final Trail trail;
    private final Position position;
    private final Map<String, NodeTuple> entries = new LinkedHashMap<>();
    private final Set<String> asked = new LinkedHashSet<>();
    private final Set<String> later = new HashSet<>();
    private final Set<String> refused = new HashSet<>();

    /** False if something else stood where the mapping was expected: then nothing is missing from it. */
    private final boolean mapping;

    Section(Reading reading, Trail trail, Position position, boolean mapping, List<NodeTuple> tuples) {
        this.mapping = mapping;
        this.reading = reading;
        this.trail = trail;
        this.position = position;
        for (NodeTuple tuple : tuples) {
            Node keyNode = tuple.getKeyNode();
            if (!(keyNode instanceof ScalarNode key)) {
                reading.faults.add(Position.of(keyNode), trail.path(), "a key that is no text", "a plain key");
            } else if (entries.putIfAbsent(key.getValue(), tuple) != null) {
                String path = trail.key(key.getValue()).path();
                reading.faults.add(Position.of(key), path, "duplicate key", "each key once");
            }
        }
    }

    /** The value of {@code key}, which is hereby known. */
    Element get(String key) {
        asked.add(key);
        Trail to = trail.key(key);
        reading.knownKeys.add(to.pattern());
        NodeTuple entry = refused.contains(key) ? null : entries.get(key);
        Node node = entry == null ? null : entry.getValueNode();
        return new Element(reading, to, node, node == null ? position : Position.of(node));
    }

    /** Like {@link #get}, and a fault if the key is absent. */
    Element required(String key, String expected) {
        Element element = get(key);
        if (mapping && !entries.containsKey(key)) {
            element.refuse("missing", expected);
        }
        return element;
    }

    int number(String key, int otherwise) {
        return get(key).number(otherwise);
    }

    boolean flag(String key, boolean otherwise) {
        return get(key).flag(otherwise);
    }

    Duration duration(String key, Duration otherwise) {
        return get(key).measured(otherwise, Durations::parse);
    }

    @Nullable
    Duration durationOrNull(String key) {
        Element element = get(key);
        return element.present() ? element.measured(Duration.ofSeconds(1), Durations::parse) : null;
    }

    ByteSize size(String key, ByteSize otherwise) {
        return get(key).measured(otherwise, ByteSize::parse);
    }

    /** A mapping of texts under names that the user chose, such as header fields. */
    Map<String, String> texts(String key) {
        Element element = get(key);
        return element.present() ? element.named("texts", item -> item.text("")) : Map.of();
    }

    /** As {@link #texts}, of texts that nobody is told again. */
    Map<String, String> secrets(String key) {
        Element element = get(key);
        return element.present()
                ? element.named("texts", item -> Objects.requireNonNullElse(item.secretOrNull(), ""))
                : Map.of();
    }

    /** Keys that the design names and a later release brings: refused, but not as if they were misspelt. */
    void later(String... keys) {
        for (String key : keys) {
            later.add(key);
            reading.laterKeys.add(trail.key(key).pattern());
            NodeTuple entry = entries.get(key);
            if (entry != null) {
                Position at = Position.of(entry.getKeyNode());
                reading.faults.add(at, trail.key(key).path(), "not supported by this release", "the key left out");
            }
        }
    }

    /** Keys, at least two, of which exactly one must be there; the fault stands at the second, or at the section. */
    void exactlyOne(String... keys) {
        List<String> all = List.of(keys);
        int last = all.size() - 1;
        String expected = "exactly one of " + String.join(", ", all.subList(0, last)) + " and " + all.get(last);
        List<String> present = entries.keySet().stream().filter(all::contains).toList();
        if (mapping && present.isEmpty()) {
            reading.faults.add(position, trail.path(), "does nothing", expected);
        } else if (present.size() > 1) {
            NodeTuple entry = entries.get(present.get(1));
            Position at = entry == null ? position : Position.of(entry.getKeyNode());
            reading.faults.add(at, trail.key(present.get(1)).path(), "beside " + present.get(0), expected);
        }
    }

    /**
     * Makes a record that checks itself. When it refuses a value, that is noted and the record is made again with the
     * default in its place, so that every value of a section gets its say in one go.
     */
    <T> T build(Supplier<T> maker, T standIn) {
        while (true) {
            try {
                return maker.get();
            } catch (ConfigException e) {
                if (!refused.add(e.key())) {
                    return standIn;
                }
                note(e);
            }
        }
    }

    void refuseUnknownKeys() {
        Set<String> known = new LinkedHashSet<>(asked);
        known.addAll(later);
        entries.forEach((key, entry) -> {
            if (!known.contains(key)) {
                String near = NearMiss.of(key, asked);
                String problem = near == null ? "unknown key" : "unknown key, did you mean '" + near + "'?";
                reading.faults.add(
                        Position.of(entry.getKeyNode()),
                        trail.key(key).path(),
                        problem,
                        "one of " + String.join(", ", asked));
            }
        });
    }

    private void note(ConfigException e) {
        if (!asked.contains(e.key())) {
            reading.faults.add(position, trail.path(), e.value(), e.expected());
            return;
        }
        Trail at = trail.key(e.key());
        Position place = position;
        NodeTuple entry = entries.get(e.key());
        if (entry != null) {
            Node node = entry.getValueNode();
            if (reading.faults.areWithin(at.path())) {
                // The list holds stand-ins for the refused items, and a second fault may be about a stand-in.
                return;
            }
            place = Position.of(node);
            if (node instanceof SequenceNode list) {
                for (int i = 0; i < list.getValue().size(); i++) {
                    if (list.getValue().get(i) instanceof ScalarNode s
                            && s.getValue().equals(e.value())) {
                        place = Position.of(s);
                        at = at.index(i);
                        break;
                    }
                }
            } else if (node instanceof MappingNode mapping) {
                for (NodeTuple inner : mapping.getValue()) {
                    if (isText(inner.getKeyNode(), e.value()) || isText(inner.getValueNode(), e.value())) {
                        place = Position.of(inner.getValueNode());
                        at = at.name(((ScalarNode) inner.getKeyNode()).getValue());
                        break;
                    }
                }
            }
        }
        reading.faults.add(place, at.path(), e.value(), e.expected());
    }

    private static boolean isText(Node node, String text) {
        return node instanceof ScalarNode scalar && scalar.getValue().equals(text);
    }
}
