package dev.lychgate.server.reload;

import dev.lychgate.config.ExtensionConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.DirectoryStamp;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.server.yaml.LoadedConfig;
import dev.lychgate.tls.TlsFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that a generation is built from, as it was read. Whatever else a configuration names and is read from disk belongs
 * here, too: what is not here can change without a new generation.
 *
 * @param loaded the configuration, with the values of its placeholders
 * @param filters the files of the filter directory; null without directory
 * @param certificates what the files of certificates and keys hold, as one number. Each generation reads them itself, also
 *     one that is gone back to: old certificates are nothing that one goes back to
 * @param settings the state of the files that settings of filters and extensions name
 */
record FilesRead(LoadedConfig loaded, @Nullable FilterSources filters, String certificates, DirectoryStamp settings) {
    /** With the files of certificates and keys as they are now. */
    static FilesRead of(LoadedConfig loaded, @Nullable FilterSources filters) {
        return new FilesRead(loaded, filters, certificates(loaded), DirectoryStamp.ofFiles(named(loaded.config())));
    }

    private static String certificates(LoadedConfig loaded) {
        return new TlsFiles().fingerprint(TlsFiles.of(loaded.config()).stream());
    }

    /** Returns these files, with certificates and keys as they are now. */
    FilesRead renewed() {
        return new FilesRead(loaded, filters, certificates(loaded), settings);
    }

    /** Returns the files that settings of filters and extensions name, and the jars of the extensions. */
    static List<String> named(GatewayConfig config) {
        List<String> files = new ArrayList<>();
        Stream.of(
                        config.filters().global().stream().map(FilterConfig::settings),
                        config.routes().stream()
                                .flatMap(route -> route.filters().stream())
                                .map(FilterConfig::settings),
                        config.extensions().values().stream().map(ExtensionConfig::settings))
                .flatMap(all -> all)
                .flatMap(settings -> settings.values().stream())
                .filter(Path.class::isInstance)
                .forEach(file -> files.add(file.toString()));
        config.extensions()
                .values()
                .forEach(extension -> files.add(extension.source().path()));
        return files;
    }

    GatewayConfig config() {
        return loaded.config();
    }

    /** Whether a generation of the one would be like a generation of the other. */
    boolean isSameAs(FilesRead other) {
        return isSame(config(), other.config())
                && fingerprint().equals(other.fingerprint())
                && certificates.equals(other.certificates)
                && settings.equals(other.settings);
    }

    /** Mappings are equal in any order, but the fields of an answer are sent in theirs: the text has it. */
    private static boolean isSame(GatewayConfig one, GatewayConfig other) {
        return one.equals(other) && one.toString().equals(other.toString());
    }

    private String fingerprint() {
        return filters == null ? "none" : filters.fingerprint();
    }

    /** What is unwise about the files, but no reason to refuse them; one line each. */
    List<String> warnings() {
        if (filters == null) {
            return List.of();
        }
        List<String> warnings = new ArrayList<>(filters.warnings());
        filters.ignored().forEach(file -> warnings.add("filters: " + file));
        return warnings;
    }
}
