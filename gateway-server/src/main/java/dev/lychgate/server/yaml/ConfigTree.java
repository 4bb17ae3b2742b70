package dev.lychgate.server.yaml;

import dev.lychgate.config.Form;
import dev.lychgate.config.Layout;
import dev.lychgate.config.RouteAction;
import dev.lychgate.filters.groovy.NearMiss;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Builds the tree of a configuration. Adds the contents of included files to the first file. Copies the values of
 * groups and defaults to the routes and upstreams that lack these values. Every node keeps its original position.
 */
final class ConfigTree {
    /**
     * The maximum number of keys of all routes and upstreams together, including the keys that groups and defaults add.
     */
    private static final int MOST_KEYS = 2_000_000;

    /** Keys that several files may contain; their values are joined. */
    private static final Set<String> JOINED = Set.of("listeners", "routes", "upstreams", "groups");

    private static final String FLEET = "fleet";

    /** Keys that a route may contain, but a group must not contain. */
    private static final Set<String> OWN = Set.of("id", "group");

    private final Reading reading;
    private int keys;

    ConfigTree(Reading reading) {
        this.reading = reading;
    }

    /**
     * Returns the completed tree.
     *
     * @throws FaultyConfigException if an included file can't be read or is not YAML
     */
    Node of(Node root, Includes includes, Texts texts) throws FaultyConfigException {
        if (!(root instanceof MappingNode first)) {
            return root;
        }
        List<NodeTuple> all = new ArrayList<>(first.getValue());
        Node include = value(first, Layout.INCLUDE.name());
        if (include != null) {
            all.remove(indexOf(all, Layout.INCLUDE.name()));
        }
        Element included = include == null ? null : element(Layout.INCLUDE.name(), include);
        for (Node each : includes.read(included, fleetState(first), texts)) {
            add(each, all);
        }
        MappingNode joined = copy(first, all);
        Map<String, MappingNode> groups = parts("groups", value(joined, Layout.GROUPS.name()), OWN);
        Set<String> perRoute = new HashSet<>(RouteAction.KEYS);
        perRoute.addAll(OWN);
        Map<String, MappingNode> defaults = parts("defaults", value(joined, Layout.DEFAULTS.name()), perRoute);
        Node named = value(joined, Layout.GROUPS.name());
        // If {@code groups} is not a mapping, nothing is completed. The reader then refuses the key once, and not again
        // for each route that names a group.
        return named == null || named instanceof MappingNode ? complete(joined, groups, defaults) : joined;
    }

    /** Returns the directory in which a node of a fleet keeps its releases; null without a fleet. */
    private @Nullable String fleetState(MappingNode root) {
        Node state = value(root, FLEET) instanceof MappingNode fleet ? value(fleet, "state") : null;
        if (state == null) {
            return null;
        }
        Trail trail = Trail.ROOT.key(FLEET).key("state");
        String directory = new Element(reading, trail, state, Position.of(state)).read(Form.FILE, "");
        return directory.isBlank() ? null : directory;
    }

    private Element element(String key, Node node) {
        return new Element(reading, Trail.ROOT.key(key), node, Position.of(node));
    }

    // ---- several files

    private void add(Node file, List<NodeTuple> all) {
        if (!(file instanceof MappingNode more)) {
            reading.faults.add(Position.of(file), "", "not a mapping", "keys of a configuration");
            return;
        }
        for (NodeTuple tuple : more.getValue()) {
            String key = text(tuple.getKeyNode());
            if (key.equals(Layout.INCLUDE.name())) {
                reading.faults.add(
                        Position.of(tuple.getKeyNode()), key, "set in an included file", "the key in the first file");
                continue;
            }
            if (key.equals(FLEET)) {
                reading.faults.add(
                        Position.of(tuple.getKeyNode()),
                        key,
                        "set in an included file or a release",
                        "the section in the first file, because it belongs to one node");
                continue;
            }
            int at = JOINED.contains(key) ? indexOf(all, key) : -1;
            Node both = at < 0 ? null : both(all.get(at).getValueNode(), tuple.getValueNode());
            if (both == null) {
                all.add(tuple);
            } else {
                all.set(at, new NodeTuple(all.get(at).getKeyNode(), both));
            }
        }
    }

    private static int indexOf(List<NodeTuple> tuples, String key) {
        for (int i = 0; i < tuples.size(); i++) {
            if (text(tuples.get(i).getKeyNode()).equals(key)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the items of both lists or the entries of both mappings; null for other nodes. */
    private static @Nullable Node both(Node one, Node other) {
        if (one instanceof SequenceNode list && other instanceof SequenceNode more) {
            return copy(list, joined(list.getValue(), more.getValue()));
        }
        return one instanceof MappingNode mapping && other instanceof MappingNode more
                ? copy(mapping, joined(mapping.getValue(), more.getValue()))
                : null;
    }

    // ---- groups and defaults

    /**
     * Returns the entries of {@code node} that are mappings, by name.
     *
     * @param without the keys that these mappings must not contain
     */
    private Map<String, MappingNode> parts(String of, @Nullable Node node, Set<String> without) {
        Map<String, MappingNode> parts = new LinkedHashMap<>();
        if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                if (tuple.getValueNode() instanceof MappingNode part) {
                    parts.put(text(tuple.getKeyNode()), part);
                    part.getValue().stream()
                            .map(NodeTuple::getKeyNode)
                            .filter(key -> without.contains(text(key)))
                            .forEach(key -> reading.faults.add(
                                    Position.of(key),
                                    of + "." + text(tuple.getKeyNode()) + "." + text(key),
                                    "not permitted in settings that apply to several routes",
                                    "this key in each route itself"));
                }
            }
        }
        return parts;
    }

    private Node complete(MappingNode root, Map<String, MappingNode> groups, Map<String, MappingNode> defaults) {
        Set<String> used = new HashSet<>();
        List<NodeTuple> all = new ArrayList<>();
        for (NodeTuple tuple : root.getValue()) {
            Node value = tuple.getValueNode();
            String key = text(tuple.getKeyNode());
            MappingNode shared = defaults.get(key);
            if (key.equals("routes") && value instanceof SequenceNode routes) {
                List<Node> completed = new ArrayList<>();
                for (Node route : routes.getValue()) {
                    completed.add(with(with(route, group(completed.size(), route, groups, used)), shared));
                }
                value = copy(routes, completed);
            } else if (key.equals("upstreams") && value instanceof MappingNode upstreams && shared != null) {
                value = copy(
                        upstreams,
                        upstreams.getValue().stream()
                                .map(each -> new NodeTuple(each.getKeyNode(), with(each.getValueNode(), shared)))
                                .toList());
            }
            all.add(new NodeTuple(tuple.getKeyNode(), value));
        }
        groups.forEach((name, group) -> {
            if (groups.keySet().containsAll(used) && !used.contains(name)) {
                // An unused group is a fault, because the values of a group are validated only with its routes.
                reading.faults.add(
                        Position.of(group), "groups." + name, "used by no route", "a route with group: " + name);
            }
        });
        return copy(root, all);
    }

    /**
     * Returns the group that the route names. A name that is not text is ignored here, because the reader refuses it.
     */
    private @Nullable MappingNode group(int index, Node route, Map<String, MappingNode> groups, Set<String> used) {
        Node named = route instanceof MappingNode mapping ? value(mapping, Layout.GROUP.name()) : null;
        if (named == null) {
            return null;
        }
        String name = text(named);
        used.add(name);
        MappingNode group = groups.get(name);
        if (group == null && named.getTag().equals(Tag.STR)) {
            String near = NearMiss.of(name, groups.keySet());
            reading.faults.add(
                    Position.of(named),
                    "routes[" + index + "].group",
                    name,
                    near == null
                            ? "one of the names in groups " + groups.keySet()
                            : "a group; did you mean '" + near + "'?");
        }
        return group;
    }

    /**
     * Returns {@code own}, a route or upstream, with the keys of {@code base} that it lacks. The filters of the base
     * run first.
     */
    private Node with(Node own, @Nullable MappingNode base) {
        if (base == null || !(own instanceof MappingNode mapping)) {
            return own;
        }
        boolean acts =
                mapping.getValue().stream().anyMatch(tuple -> RouteAction.KEYS.contains(text(tuple.getKeyNode())));
        List<NodeTuple> wanted = base.getValue().stream()
                .filter(tuple -> !acts || !RouteAction.KEYS.contains(text(tuple.getKeyNode())))
                .toList();
        MappingNode merged = merged(mapping, wanted);
        Node first = value(base, "filters");
        Node then = value(mapping, "filters");
        if (!(first instanceof SequenceNode before) || !(then instanceof SequenceNode after)) {
            return merged;
        }
        List<NodeTuple> all = new ArrayList<>(merged.getValue());
        int at = indexOf(all, "filters");
        all.set(at, new NodeTuple(all.get(at).getKeyNode(), copy(after, joined(before.getValue(), after.getValue()))));
        return copy(merged, all);
    }

    /** Merges sections key by key; other values of {@code own} replace the values of the base. */
    private MappingNode merged(MappingNode own, List<NodeTuple> base) {
        List<NodeTuple> all = new ArrayList<>(own.getValue());
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            places.putIfAbsent(text(all.get(i).getKeyNode()), i);
        }
        for (NodeTuple tuple : base) {
            Integer at = places.get(text(tuple.getKeyNode()));
            if (at == null) {
                all.add(tuple);
            } else if (all.get(at).getValueNode() instanceof MappingNode inner
                    && tuple.getValueNode() instanceof MappingNode outer) {
                all.set(at, new NodeTuple(all.get(at).getKeyNode(), merged(inner, outer.getValue())));
            }
        }
        keys += all.size();
        if (keys > MOST_KEYS && keys - all.size() <= MOST_KEYS) {
            reading.faults.add(
                    Position.of(own),
                    "",
                    "too many keys, including those from groups and defaults",
                    "at most " + MOST_KEYS);
        }
        return keys > MOST_KEYS ? own : copy(own, all);
    }

    // ---- nodes

    private static String text(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    /** Returns the value of a key of a mapping; null if there is none. */
    static @Nullable Node value(Node node, String key) {
        return node instanceof MappingNode mapping ? value(mapping, key) : null;
    }

    private static @Nullable Node value(MappingNode mapping, String key) {
        int at = indexOf(mapping.getValue(), key);
        return at < 0 ? null : mapping.getValue().get(at).getValueNode();
    }

    private static <T> List<T> joined(List<T> one, List<T> other) {
        List<T> all = new ArrayList<>(one);
        all.addAll(other);
        return all;
    }

    private static MappingNode copy(MappingNode of, List<NodeTuple> tuples) {
        return new MappingNode(of.getTag(), true, tuples, of.getFlowStyle(), of.getStartMark(), of.getEndMark());
    }

    private static SequenceNode copy(SequenceNode of, List<Node> items) {
        return new SequenceNode(of.getTag(), true, items, of.getFlowStyle(), of.getStartMark(), of.getEndMark());
    }
}
