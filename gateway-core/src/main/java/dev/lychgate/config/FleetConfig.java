package dev.lychgate.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fleet to which a gateway belongs.
 *
 * @param space the part of the store that belongs to the fleet
 * @param store the store of the releases
 * @param trust the files of the trusted public keys; each release and each head must be signed by one of these keys
 * @param state the directory in which the gateway keeps the last good releases
 * @param node the name of this gateway; null = a name that is created at the first start and kept in {@code state}
 * @param labels properties of this gateway that its reports contain
 */
public record FleetConfig(
        String space,
        FleetStoreConfig store,
        List<String> trust,
        String state,
        @Nullable String node,
        Map<String, String> labels) {
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";
    private static final String NAMED = "up to 64 letters, digits, '.', '_' and '-', beginning with a letter or digit";
    private static final int MOST_LABELS = 16;
    private static final int LONGEST_LABEL = 200;

    private static final Key<String> SPACE = Key.typed("space", Form.TEXT.matching(NAME, NAMED), "unnamed")
            .required("the name of a space, such as prod")
            .about("the space of the store that belongs to this fleet; releases and heads of other spaces are refused");
    private static final Key<FleetStoreConfig> STORE = Key.section(
                    "store", FleetStoreConfig.NONE, FleetStoreConfig::read)
            .required("a store, such as { directory: /srv/fleet }")
            .about("the store that the nodes and operators of the fleet share");
    private static final Key<List<String>> TRUST = Key.typed("trust", Form.oneOrList(Form.FILE), List.of("unnamed"))
            .called("list of paths, or one")
            .atLeast(1)
            .required("at least one file with a public key")
            .about("the files of the public keys (Ed25519, PEM); one of these keys must have signed each release and "
                    + "each head");
    private static final Key<String> STATE = Key.typed("state", Form.FILE, "unnamed")
            .required("a directory")
            .about("the directory in which this node keeps the last five good releases and the highest epoch; the "
                    + "gateway creates it so that only the user of the process has access");
    private static final Key<String> NODE = Key.typed("node", Form.TEXT.matching(NAME, NAMED), null)
            .absent("a name that the node creates at its first start and keeps in its directory")
            .about("the name of this node in reports, unique in the space");
    private static final Key<Map<String, String>> LABELS =
            Key.texts("labels", "name").about("properties of this node that its reports contain, at most 16");

    static final Keys<FleetConfig> KEYS = Keys.of(FleetConfig::new, SPACE, STORE, TRUST, STATE, NODE, LABELS);

    public FleetConfig {
        KEYS.check(space, store, trust, state, node, labels);
        trust = Expect.copy(trust);
        labels = Expect.copy(labels);
        Expect.that(!state.isBlank(), "state", state, "a directory");
        Expect.that(labels.size() <= MOST_LABELS, "labels", labels.size() + " labels", "at most " + MOST_LABELS);
        labels.forEach((name, value) -> Expect.that(
                name.length() <= LONGEST_LABEL && value.length() <= LONGEST_LABEL,
                "labels",
                name,
                "names and values of at most " + LONGEST_LABEL + " characters"));
    }

    /** Reads the section {@code fleet} without the rest of the configuration, for a node that has no release yet. */
    public static FleetConfig read(Key.Values values) {
        return KEYS.read(values);
    }
}
