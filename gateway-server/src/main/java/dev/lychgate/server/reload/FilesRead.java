package dev.lychgate.server.reload;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.server.yaml.LoadedConfig;
import dev.lychgate.tls.TlsFiles;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a generation is built from, as it was read. Whatever else a configuration names and is read from disk belongs
 * here, too: what is not here can change without a new generation.
 *
 * @param loaded the configuration, with the values of its placeholders
 * @param filters the files of the filter directory; null without directory
 * @param certificates what the files of certificates and keys hold, as one number. Each generation reads them itself, also
 *     one that is gone back to: old certificates are nothing that one goes back to
 */
record FilesRead(LoadedConfig loaded, @Nullable FilterSources filters, String certificates) {
    /** With the files of certificates and keys as they are now. */
    static FilesRead of(LoadedConfig loaded, @Nullable FilterSources filters) {
        String certificates = new TlsFiles().fingerprint(TlsFiles.of(loaded.config()).stream());
        return new FilesRead(loaded, filters, certificates);
    }

    GatewayConfig config() {
        return loaded.config();
    }

    /** Whether a generation of the one would be like a generation of the other. */
    boolean isSameAs(FilesRead other) {
        return isSame(config(), other.config())
                && fingerprint().equals(other.fingerprint())
                && certificates.equals(other.certificates);
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
