package dev.lychgate.server.yaml;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.filters.groovy.NearMiss;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A mapping of known keys. A key is known as soon as it has been requested; there is no separate list of keys. */
final class Section implements Key.Values {
    private final Reading reading;
    private final Trail trail;
    private final Position position;
    private final Map<String, NodeTuple> entries = new LinkedHashMap<>();
    private final Set<String> asked = new LinkedHashSet<>();
    private final Set<String> refused = new HashSet<>();
    /** The keys that are names of items, see {@link #named}. */
    private final Set<String> items = new HashSet<>();

    /** Whether the node is a mapping. If it is not, missing keys are not reported. */
    private final boolean mapping;

    Section(Reading reading, Trail trail, Position position, boolean mapping, List<NodeTuple> tuples) {
        this.mapping = mapping;
        this.reading = reading;
        this.trail = trail;
        this.position = position;
        for (NodeTuple tuple : tuples) {
            Node keyNode = tuple.getKeyNode();
            if (!(keyNode instanceof ScalarNode key)) {
                reading.faults.add(Position.of(keyNode), trail.path(), "a key that is not text", "a plain key");
                continue;
            }
            NodeTuple earlier = entries.putIfAbsent(key.getValue(), tuple);
            if (earlier != null) {
                String path = trail.key(key.getValue()).path();
                Position at = Position.of(key);
                String where = Position.of(earlier.getKeyNode()).seenFrom(at);
                reading.faults.add(at, path, "duplicate key", "each key once; " + where + " already has this key");
            }
        }
    }

    /** Returns the value of {@code key}, and marks the key as known. */
    Element get(String key) {
        asked.add(key);
        Trail to = trail.key(key);
        NodeTuple entry = refused.contains(key) ? null : entries.get(key);
        Node node = entry == null ? null : entry.getValueNode();
        return new Element(reading, to, node, node == null ? position : Position.of(node));
    }

    @Override
    public <T> T get(Key<T> key) {
        String expected = key.requires();
        Element element = expected == null ? get(key.name()) : required(key.name(), expected);
        if (reading.survey) {
            reading.declared.putIfAbsent(element.trail.pattern(), key);
        }
        String uniqueness = key.uniqueness();
        if (uniqueness != null) {
            reading.references.unique(element, uniqueness);
        }
        T value = element.read(key.form(), key.otherwise());
        if (value != null && element.present()) {
            if (key.form().isUpstream()) {
                reading.references.upstream(element, value.toString());
            } else if (key.form().isCallTarget()) {
                reading.references.callTarget(element, value.toString());
            }
        }
        return value;
    }

    @Override
    @SuppressWarnings("NullAway") // a refused item is null
    public <T> @Nullable T named(Form<T> item, String list) {
        constrain(new Constraint.Named());
        T found = null;
        String first = null;
        for (NodeTuple entry : entries.values()) {
            ScalarNode key = (ScalarNode) entry.getKeyNode();
            String name = key.getValue();
            if (!isItem(item, name)) {
                continue;
            }
            asked.add(name);
            items.add(name);
            if (first != null) {
                reading.faults.add(
                        Position.of(key), trail.key(name).path(), "set together with " + first, "a list under " + list);
            } else if (!refused.contains(name)) {
                first = name;
                found = read(item, entry, key);
            }
        }
        if (first != null && has(list)) {
            get(list).refuse("set together with " + first, "all " + item.words() + "s in this list");
        }
        return found;
    }

    @Override
    @SuppressWarnings("NullAway") // a refused item is null
    public <T> @Nullable T exactlyOne(Form<T> item, String... keys) {
        constrain(new Constraint.OneKey());
        List<String> declared = List.of(keys);
        String expected =
                "exactly one of " + String.join(", ", declared) + " and the " + item.words() + "s of extensions";
        T found = null;
        String first = null;
        for (NodeTuple entry : entries.values()) {
            ScalarNode key = (ScalarNode) entry.getKeyNode();
            String name = key.getValue();
            if (!declared.contains(name)) {
                if (!isItem(item, name)) {
                    continue;
                }
                asked.add(name);
                items.add(name);
            }
            if (first != null) {
                reading.faults.add(Position.of(key), trail.key(name).path(), "set together with " + first, expected);
                // The record would refuse the item a second time.
                found = null;
                continue;
            }
            first = name;
            if (!declared.contains(name) && !refused.contains(name)) {
                found = read(item, entry, key);
            }
        }
        if (mapping && first == null) {
            reading.faults.add(position, trail.path(), "a required key is missing", expected);
        }
        return found;
    }

    @SuppressWarnings("NullAway") // a refused item is null
    private <T> T read(Form<T> item, NodeTuple entry, ScalarNode key) {
        Node end = entry.getValueNode();
        Node only =
                new MappingNode(Tag.MAP, true, List.of(entry), FlowStyle.FLOW, key.getStartMark(), end.getEndMark());
        return new Element(reading, trail, only, Position.of(key)).read(item, null);
    }

    /**
     * Returns whether a key is the name of an item. An unknown name counts as the name of an item, unless it resembles
     * a declared key.
     */
    private boolean isItem(Form<?> item, String name) {
        if (asked.contains(name)) {
            return items.contains(name);
        }
        return reading.contributors.containsKey(item.schema() + " " + name) || NearMiss.of(name, asked) == null;
    }

    @Override
    public boolean isRead() {
        return mapping && !reading.survey;
    }

    @Override
    public String name() {
        return trail.last();
    }

    @Override
    public boolean has(String key) {
        return entries.containsKey(key);
    }

    /** Returns the value as {@link #get(String)} does, and records an error if the key is absent. */
    Element required(String key, String expected) {
        Element element = get(key);
        if (mapping && !entries.containsKey(key)) {
            element.refuse("missing", expected);
        }
        return element;
    }

    @Override
    public void refersTo(String upstream, Map<String, String> subset) {
        if (has("upstream")) {
            reading.references.upstream(get("upstream"), upstream);
            reading.references.subset(get("subset"), upstream, subset);
        }
    }

    @Override
    public void requires(String key, String value, String other) {
        constrain(new Constraint.With(key, value, other));
    }

    @Override
    public void excludes(String key, String other, @Nullable String instead) {
        constrain(new Constraint.NotBoth(key, other));
        if (instead != null && has(key) && has(other)) {
            get(key).refuse("set together with " + other, "the key left out, because " + instead + " apply");
        }
    }

    @Override
    public void needs(String key, String other) {
        constrain(new Constraint.Needs(key, other));
        if (has(key) && !has(other)) {
            get(key).refuse("set without " + other, "only together with " + other);
        }
    }

    @Override
    public void either(String... groups) {
        constrain(new Constraint.ExactlyOne(
                Stream.of(groups).map(group -> List.of(group.split(" "))).toList()));
    }

    private void constrain(Constraint constraint) {
        if (reading.survey) {
            reading.constraints
                    .computeIfAbsent(trail.pattern(), section -> new LinkedHashSet<>())
                    .add(constraint);
        }
    }

    /**
     * Requires exactly one of at least two keys. An error has the position of the second key, or of the section if no
     * key is present.
     */
    @Override
    public void exactlyOne(String... keys) {
        either(keys);
        List<String> all = List.of(keys);
        int last = all.size() - 1;
        String expected = "exactly one of " + String.join(", ", all.subList(0, last)) + " and " + all.get(last);
        List<String> present = entries.keySet().stream().filter(all::contains).toList();
        if (mapping && present.isEmpty()) {
            reading.faults.add(position, trail.path(), "a required key is missing", expected);
        } else if (present.size() > 1) {
            NodeTuple entry = entries.get(present.get(1));
            Position at = entry == null ? position : Position.of(entry.getKeyNode());
            reading.faults.add(at, trail.key(present.get(1)).path(), "set together with " + present.get(0), expected);
        }
    }

    /**
     * Builds a record that validates itself. If the record refuses a value, the error is recorded, and the record is
     * built again with the default in place of the value. Therefore, all errors of a section are found. Returns null if
     * the default is also refused.
     */
    <T> @Nullable T build(Supplier<T> maker) {
        while (true) {
            try {
                return maker.get();
            } catch (ConfigException e) {
                // If the key is in a nested section, the whole nested section counts as refused, because sections are
                // read as a whole.
                if (!refused.add(first(e.key()))) {
                    return null;
                }
                note(e);
            }
        }
    }

    private static String first(String path) {
        return path.replaceFirst("[.\\[].*", "");
    }

    void refuseUnknownKeys() {
        entries.forEach((key, entry) -> {
            if (!asked.contains(key)) {
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
            noteFarther(e);
            return;
        }
        Trail at = trail.key(e.key());
        Position place = position;
        NodeTuple entry = entries.get(e.key());
        if (reading.faults.areWithin(entry == null ? trail.path() : at.path())) {
            // This fault is not reported, because the refused value may be the default that replaced another refused
            // value.
            return;
        }
        if (entry != null) {
            Node node = entry.getValueNode();
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
        add(place, at.path(), e);
    }

    /** Records an error, and removes the secrets of the file from its text. */
    private void add(Position at, String path, ConfigException e) {
        reading.faults.add(at, path, reading.secrets.hide(e.value()), reading.secrets.hide(e.expected()));
    }

    /** Returns the value of a setting that was read, with its secrets marked as such. */
    Object marked(String key, Object value) {
        return reading.secrets.marked(trail.key(key).path(), value);
    }

    /** Records the error of a key in a nested section. The exception contains the path of the key. */
    private void noteFarther(ConfigException e) {
        String first = first(e.key());
        NodeTuple entry = entries.get(first);
        boolean known = trail.path().isEmpty() && !reading.faults.isEmpty();
        if (entry == null) {
            // If the name of a section is refused, the exception names the key of the enclosing mapping.
            Trail at = trail.pattern().startsWith(e.key()) ? trail : trail.key(e.key());
            add(position, at.path(), e);
        } else if (!known) {
            // At the top level, the faults that are found this late are refused references. They are reported only if
            // there are no other faults, because another fault may be their cause.
            Node at = Places.deepest(entry.getValueNode(), e.key().substring(first.length()));
            add(Position.of(at), trail.key(e.key()).path(), e);
        }
    }

    private static boolean isText(Node node, String text) {
        return node instanceof ScalarNode scalar && scalar.getValue().equals(text);
    }
}
