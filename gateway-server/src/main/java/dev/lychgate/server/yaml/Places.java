package dev.lychgate.server.yaml;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The positions of the keys in a file. They are needed for errors that are detected only when a generation is built,
 * such as a malformed pattern of a route.
 */
public final class Places {
    /** The positions of settings that come from code. */
    public static final Places NONE = new Places("the settings", null, ReferredSecrets.NONE);

    private final String file;
    private final @Nullable Node root;
    private final ReferredSecrets secrets;

    Places(String file, @Nullable Node root, ReferredSecrets secrets) {
        this.file = file;
        this.root = root;
        this.secrets = secrets;
    }

    /**
     * Returns the error of a refused setting, with its position in the file, and without the secrets to which the file
     * refers.
     *
     * @param e the refusal, which names the key by its path from the top, such as {@code routes[2].match.path}. The
     *     error has the position of the deepest part of this path that the file contains
     */
    public Fault fault(ConfigException e) {
        if (root == null) {
            return new Fault(file, 0, 0, e.key(), e.value(), e.expected());
        }
        Position at = Position.of(deepest(root, e.key()));
        return new Fault(at.in(file), at.line(), at.column(), e.key(), hide(e.value()), hide(e.expected()));
    }

    private String hide(String message) {
        return Secret.hide(message, secrets.values());
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

    /**
     * Returns the entry of the longest key that is a prefix of the path. Several keys may be prefixes, because names
     * may contain dots.
     */
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
