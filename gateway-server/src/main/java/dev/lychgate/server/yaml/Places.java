package dev.lychgate.server.yaml;

import dev.lychgate.config.ConfigException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Where the keys of a file stand, for faults that are found only when something is built from the configuration: a
 * pattern of a route that does not compile, for one.
 */
public final class Places {
    /** Of settings that come from code. */
    public static final Places NONE = new Places("the settings", null);

    private final String file;
    private final @Nullable Node root;

    Places(String file, @Nullable Node root) {
        this.file = file;
        this.root = root;
    }

    /**
     * The fault that a refused setting is, with its place in the file.
     *
     * @param e names the key by its path from the top, such as {@code routes[2].match.path}; of a key that the file
     *     does not hold, the deepest part it does hold is the place
     */
    public Fault fault(ConfigException e) {
        if (root == null) {
            return new Fault(file, 0, 0, e.key(), e.value(), e.expected());
        }
        Position at = Position.of(deepest(root, e.key()));
        return new Fault(at.in(file), at.line(), at.column(), e.key(), e.value(), e.expected());
    }

    static Node deepest(Node node, String path) {
        String rest = path.startsWith(".") ? path.substring(1) : path;
        Step step = rest.isEmpty() ? null : rest.startsWith("[") ? item(node, rest) : entry(node, rest);
        return step == null ? node : deepest(step.node, step.rest);
    }

    private record Step(Node node, String rest) {}

    private static @Nullable Step item(Node node, String path) {
        int end = path.indexOf(']');
        if (!(node instanceof SequenceNode list)
                || end < 2
                || !path.substring(1, end).matches("\\d{1,8}")) {
            return null;
        }
        int index = Integer.parseInt(path.substring(1, end));
        List<Node> items = list.getValue();
        return index < items.size() ? new Step(items.get(index), path.substring(end + 1)) : null;
    }

    /** Names may hold dots: the longest key that the path begins with is the one that is meant. */
    private static @Nullable Step entry(Node node, String path) {
        Step best = null;
        int longest = 0;
        if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
                if (key.length() > longest && path.startsWith(key) && endsAt(path, key.length())) {
                    longest = key.length();
                    best = new Step(tuple.getValueNode(), path.substring(key.length()));
                }
            }
        }
        return best;
    }

    private static boolean endsAt(String path, int i) {
        return i == path.length() || path.charAt(i) == '.' || path.charAt(i) == '[';
    }
}
