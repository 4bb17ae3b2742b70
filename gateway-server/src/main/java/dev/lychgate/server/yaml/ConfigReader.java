package dev.lychgate.server.yaml;

import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.FleetConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.Key;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads configuration files: YAML 1.2 in UTF-8, at most 4 MiB, without anchors, aliases and tags. One pass finds all
 * errors of a file. Only malformed YAML ends the search early.
 */
public final class ConfigReader {
    private final Environment environment;
    private final Includes includes;
    /**
     * The files of secrets to which the configuration referred when it was last read. The thread that reads the
     * configuration writes this field, and the thread that watches the files reads it.
     */
    private volatile Set<Path> secretFiles = Set.of();

    /**
     * @param environment provides the values of <code>${NAME}</code>
     */
    public ConfigReader(Environment environment) {
        this(environment, null);
    }

    /**
     * @param environment provides the values of <code>${NAME}</code>
     * @param release the directory of a release of the fleet to read instead of the active release; null for the
     *     active release
     */
    public ConfigReader(Environment environment, @Nullable Path release) {
        this.environment = environment;
        this.includes = new Includes(release);
    }

    /**
     * Reads only the section {@code fleet} of a file. Errors in other sections are ignored, because these sections may
     * need the files of a release.
     *
     * @return null if the file has no such section
     * @throws FaultyConfigException if the section is refused, or the file is unreadable
     */
    public static @Nullable FleetConfig fleet(Path file, Environment environment) throws FaultyConfigException {
        String text = new Texts.OnDisk().read(file);
        if (!text.contains("fleet")) {
            return null;
        }
        Reading reading = reading(file.toString(), environment, false);
        Node node = ConfigTree.value(YamlDocument.parse(file.toString(), text), "fleet");
        if (node == null) {
            return null;
        }
        @Nullable
        FleetConfig fleet = new Element(reading, Trail.ROOT.key("fleet"), node, Position.of(node))
                .section(section -> section.build(() -> FleetConfig.read(section)));
        if (fleet == null || !reading.faults.isEmpty()) {
            throw reading.faults.refusal();
        }
        return fleet;
    }

    /**
     * Reads a file.
     *
     * @throws FaultyConfigException if the file is refused or unreadable; the exception lists all errors
     */
    public LoadedConfig read(Path file) throws FaultyConfigException {
        Texts.OnDisk texts = new Texts.OnDisk();
        LoadedConfig loaded = read(file.toString(), texts.read(file), texts);
        return new LoadedConfig(loaded.config(), loaded.places(), texts.kept(file), loaded.secrets());
    }

    /**
     * Reads a copy of files; placeholders and references get the current values and secrets. Other files on disk are
     * not read.
     *
     * @throws FaultyConfigException if the text is refused; the exception lists all errors
     */
    public LoadedConfig read(ConfigTexts copy) throws FaultyConfigException {
        Texts texts = new Texts.Kept(copy);
        LoadedConfig loaded = read(copy.main().toString(), texts.read(copy.main()), texts);
        return new LoadedConfig(loaded.config(), loaded.places(), copy, loaded.secrets());
    }

    /**
     * Reads text.
     *
     * @param name the name that errors contain in place of a file
     * @throws FaultyConfigException if the text is refused; the exception lists all errors
     */
    public LoadedConfig read(String name, String text) throws FaultyConfigException {
        return read(name, text, new Texts.OnDisk());
    }

    private LoadedConfig read(String name, String text, Texts texts) throws FaultyConfigException {
        Node root = YamlDocument.parse(name, text);
        Reading reading = reading(name, environment, false);
        try {
            Node tree = new ConfigTree(reading).of(root, includes, texts);
            GatewayConfig config = read(reading, tree);
            if (config == null || !reading.faults.isEmpty()) {
                throw reading.faults.refusal();
            }
            ReferredSecrets secrets = reading.secrets.referred();
            return new LoadedConfig(config, new Places(name, tree, secrets), null, secrets);
        } finally {
            secretFiles = reading.secrets.files();
        }
    }

    /** Returns the files of secrets and keys of the configuration that was read last, even if it was refused. */
    public Set<Path> secretFiles() {
        return secretFiles;
    }

    /**
     * Returns the files that match the includes of the configuration that was read last, even if it was refused. The
     * includes are evaluated again, so the result also contains new files.
     */
    public List<Path> included() {
        List<Path> files = new ArrayList<>();
        for (Path pattern : includes.patterns()) {
            try {
                files.addAll(Includes.matching(pattern));
            } catch (IOException e) {
                // The directory no longer exists.
                files.add(pattern);
            }
        }
        return files;
    }

    /**
     * Returns the paths of all keys that are read, in the order of reading, such as {@code listeners[].socket.backlog}.
     * A path has {@code []} for an element of a list, and {@code *} for a name that the user chooses.
     */
    public static List<String> knownKeys() {
        return List.copyOf(survey().declared.keySet());
    }

    /** Performs a reading without a file, so that every key is requested once. */
    static Reading survey() {
        Reading reading = reading("survey", name -> null, true);
        read(reading, null);
        return reading;
    }

    private static Reading reading(String name, Environment environment, boolean survey) {
        // The last arguments are lambdas, because a method reference would load the classes for extensions even if no
        // extension is in use.
        return new Reading(
                name,
                environment,
                survey,
                (element, kind) -> switch (kind) {
                    case FilterReader.KIND -> FilterReader.filter(element);
                    case StoreReader.KIND -> StoreReader.read(element);
                    default -> GuardReader.read(element, kind);
                },
                element -> ExtensionReader.extensions(element));
    }

    /** Returns the configuration; null if there are errors. */
    private static @Nullable GatewayConfig read(Reading reading, @Nullable Node root) {
        return reading.root(root)
                .section(top -> top.build(() -> {
                    Top values = new Top(top);
                    try {
                        return GatewayConfig.read(values);
                    } finally {
                        // The references are checked here first, because the configuration would report the same faults
                        // without lines and without suggestions of similar names.
                        reading.references.check(
                                top.get("upstreams").names(), values.upstreams, values.filters, reading.faults);
                    }
                }));
    }

    /**
     * Reads the keys at the top level. Keeps the upstreams and the origins of call-outs, to check references to them.
     */
    private static final class Top implements Key.Values {
        private final Section section;
        private Map<?, ?> upstreams = Map.of();
        private @Nullable FiltersConfig filters;

        Top(Section section) {
            this.section = section;
        }

        @Override
        public <T> T get(Key<T> key) {
            T value = section.get(key);
            if (key.name().equals("upstreams")) {
                upstreams = (Map<?, ?>) value;
            } else if (value instanceof FiltersConfig read) {
                filters = read;
            }
            return value;
        }
    }
}
