package dev.lychgate.server.reload;

import dev.lychgate.config.ExtensionConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.DirectoryStamp;
import dev.lychgate.filters.groovy.FilterLibrary;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.libraries.Sha256;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.yaml.ConfigTexts;
import dev.lychgate.server.yaml.LoadedConfig;
import dev.lychgate.server.yaml.ReferredSecrets;
import dev.lychgate.tls.TlsFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The contents of all files from which a generation is built, as they were read. Changes of other files do not lead to
 * a new generation.
 *
 * @param loaded the configuration after its placeholders were replaced by values
 * @param filters the files of the filter directory; null if there is no directory
 * @param certificates a digest of the certificate, key and token files and of the state of the address lists. Each swap
 *     reads these files again, so a rollback never restores an old state of them
 * @param settings the state of the files that are named in the settings of filters and extensions
 * @param credentials the states of the files that are named in the settings of authenticators and authorizers, by
 *     reference: {@code file:PATH}. As with secrets, neither the gate nor a rollout delays a change of these files
 */
record FilesRead(
        LoadedConfig loaded,
        @Nullable FilterSources filters,
        String certificates,
        DirectoryStamp settings,
        Map<String, String> credentials) {
    private static final String FILE = "file:";

    /** Reads a configuration. */
    interface Reader {
        /** @throws RefusedException if a value or a secret is refused */
        LoadedConfig read(ConfigTexts texts) throws RefusedException;
    }

    /** Returns the given files, with a digest of the certificates and keys on disk. */
    static FilesRead of(LoadedConfig loaded, @Nullable FilterSources filters) {
        return new FilesRead(
                loaded,
                filters,
                certificates(loaded),
                DirectoryStamp.ofFiles(named(loaded.config())),
                credentials(loaded.config()));
    }

    private static Map<String, String> credentials(GatewayConfig config) {
        Map<String, String> states = new HashMap<>();
        credentialFiles(config)
                .forEach(file -> states.put(
                        FILE + file, DirectoryStamp.ofFiles(List.of(file)).text()));
        return states;
    }

    private static String certificates(LoadedConfig loaded) {
        String tls = new TlsFiles().fingerprint(TlsFiles.of(loaded.config()).stream());
        List<String> lists = loaded.config().policies().addressFiles().toList();
        // The state of the files is used instead of their contents, because lists may be long.
        return lists.isEmpty()
                ? tls
                : tls + Sha256.of(DirectoryStamp.ofFiles(lists).text());
    }

    /** Returns these files with a new digest of the certificates and keys on disk. */
    FilesRead renewed() {
        return new FilesRead(loaded, filters, certificates(loaded), settings, credentials);
    }

    /**
     * Returns whether these files and {@code other} have the same admin section, apart from the contents of the files
     * that the section names.
     */
    boolean hasAdminOf(FilesRead other) {
        return Objects.equals(config().admin(), other.config().admin());
    }

    /**
     * Returns these files with the admin section of {@code other}, and with a new digest of the certificates and keys
     * on disk.
     */
    FilesRead withAdminOf(FilesRead other) {
        LoadedConfig changed = loaded.with(config().withAdmin(other.config().admin()));
        return new FilesRead(changed, filters, certificates(changed), settings, credentials);
    }

    /** Returns the files that are named in the settings of filters and extensions, and the jars of the extensions. */
    static List<String> named(GatewayConfig config) {
        List<String> files = new ArrayList<>();
        Stream.of(
                        config.filters().global().stream().map(FilterConfig::settings),
                        config.routes().stream()
                                .flatMap(route -> route.filters().stream())
                                .map(FilterConfig::settings),
                        config.extensions().values().stream().map(ExtensionConfig::settings))
                .flatMap(all -> all)
                .flatMap(FilesRead::paths)
                .forEach(file -> files.add(file.toString()));
        config.extensions()
                .values()
                .forEach(extension -> files.add(extension.source().path()));
        return files;
    }

    /** Returns the files that are named in the settings of authenticators and authorizers. */
    static Set<String> credentialFiles(GatewayConfig config) {
        return config.guards()
                .map(FilterConfig::settings)
                .flatMap(FilesRead::paths)
                .map(Path::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Returns the directories that contain the jars of extensions. In these directories, another jar may replace a
     * deleted jar.
     */
    static List<String> directories(GatewayConfig config) {
        return config.extensions().values().stream()
                .map(extension ->
                        Path.of(extension.source().path()).toAbsolutePath().getParent())
                .filter(Objects::nonNull)
                .map(Path::toString)
                .distinct()
                .toList();
    }

    private static Stream<Path> paths(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.values().stream().flatMap(FilesRead::paths);
        }
        return value instanceof Collection<?> list
                ? list.stream().flatMap(FilesRead::paths)
                : value instanceof Path path ? Stream.of(path) : Stream.empty();
    }

    GatewayConfig config() {
        return loaded.config();
    }

    /**
     * Returns these files with the current secrets and the current files of credentials. If nothing has changed,
     * returns this object.
     *
     * @param reader reads the configuration from its texts, with the current secrets
     * @throws RefusedException if a secret cannot be read, or is refused
     */
    FilesRead withCurrentSecrets(Reader reader) throws RefusedException {
        LoadedConfig read = loaded;
        boolean same = true;
        ConfigTexts texts = loaded.texts();
        if (texts != null && !loaded.secrets().isEmpty()) {
            LoadedConfig now = reader.read(texts);
            same = now.secrets().digests().equals(loaded.secrets().digests());
            read = same ? loaded : now;
        }
        Map<String, String> states = credentials(read.config());
        return same && states.equals(credentials)
                ? this
                : new FilesRead(read, filters, certificates(read), settings, states);
    }

    /** Returns the references that these files and {@code later} both contain, but whose secrets differ. */
    List<String> secretsChangedIn(FilesRead later) {
        return ReferredSecrets.changed(secrets(), later.secrets());
    }

    /** Returns the states of the secrets and of the files of credentials, by their references. */
    private Map<String, String> secrets() {
        Map<String, String> all = new HashMap<>(credentials);
        all.putAll(loaded.secrets().digests());
        return all;
    }

    /** Returns whether these files and {@code other} would result in equal generations. */
    boolean isSameAs(FilesRead other) {
        return isBuiltLike(other) && certificates.equals(other.certificates);
    }

    /**
     * Returns whether a generation of these files would equal a generation of {@code other}, apart from certificates
     * and keys.
     */
    boolean isBuiltLike(FilesRead other) {
        return isSame(config(), other.config())
                && fingerprint().equals(other.fingerprint())
                && settings.equals(other.settings)
                && credentials.equals(other.credentials);
    }

    /** Returns whether these files and {@code other} differ only in the values of properties. */
    boolean differsInProperties(FilesRead other) {
        FiltersConfig filters = config().filters().with(other.config().filters().properties());
        LoadedConfig equal = loaded.with(config().withFilters(filters));
        return !isSameAs(other)
                && new FilesRead(equal, this.filters, certificates, settings, credentials).isSameAs(other);
    }

    /**
     * Returns whether generations of these files and of {@code other} would serve requests in the same way. Differences
     * in the settings of rollouts and of the admin listener, in injected faults and in certificates are ignored,
     * because a rollout cannot judge them.
     */
    boolean servesLike(FilesRead other) {
        LoadedConfig equal = loaded.with(config().withRollout(other.config().rollout())
                .withAdmin(other.config().admin())
                .withLifecycle(
                        config().lifecycle().with(other.config().lifecycle().faults())));
        return new FilesRead(equal, filters, certificates, settings, credentials).isBuiltLike(other);
    }

    /**
     * Returns a fingerprint of the configuration texts and the filters on disk; null if the settings are in code.
     * Values of the environment do not affect it, so every process computes the same fingerprint.
     */
    @Nullable
    String onDisk() {
        ConfigTexts texts = loaded.texts();
        return texts == null ? null : Sha256.of(texts.fingerprint() + " " + fingerprint());
    }

    /**
     * Compares the configurations, including the order of the entries in mappings. For example, header fields of
     * responses are sent in this order.
     */
    private static boolean isSame(GatewayConfig one, GatewayConfig other) {
        return one.equals(other) && one.toString().equals(other.toString());
    }

    private String fingerprint() {
        return filters == null ? "none" : filters.fingerprint();
    }

    /** Returns these files in the form that the admin interface shows. */
    Generations.Content content() {
        Map<String, String> texts = new HashMap<>();
        if (filters != null) {
            filters.files().forEach(file -> texts.put(file.path(), file.text()));
            libraries()
                    .forEach(library ->
                            texts.put(library.path(), "SHA-256 " + library.jar().digest() + "\n"));
        }
        return new Generations.Content(config(), texts, certificates, secrets());
    }

    /** Returns the jars that the filters use. */
    List<FilterLibrary> libraries() {
        return filters == null ? List.of() : filters.libraries();
    }

    /** Returns warnings about files that are accepted nevertheless, one line each. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>(loaded.secrets().warnings());
        if (filters == null) {
            return warnings;
        }
        warnings.addAll(filters.warnings());
        filters.ignored().forEach(file -> warnings.add("filters: " + file));
        return warnings;
    }
}
