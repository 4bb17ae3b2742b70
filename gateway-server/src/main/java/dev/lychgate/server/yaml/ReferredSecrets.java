package dev.lychgate.server.yaml;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The secrets to which a configuration refers. {@link #toString} omits the texts of the secrets. Immutable. */
public final class ReferredSecrets {
    /** The value for a configuration that refers to no secrets. */
    public static final ReferredSecrets NONE = new ReferredSecrets(Set.of(), Map.of(), List.of(), List.of());

    private final Set<Path> files;
    private final Map<String, String> digests;
    private final List<String> values;
    private final List<String> warnings;

    ReferredSecrets(Set<Path> files, Map<String, String> digests, List<String> values, List<String> warnings) {
        this.files = Set.copyOf(files);
        this.digests = Map.copyOf(digests);
        this.values = List.copyOf(values);
        this.warnings = List.copyOf(warnings);
    }

    public boolean isEmpty() {
        return digests.isEmpty();
    }

    /** Returns the files of secrets and keys, which are watched. */
    public Set<Path> files() {
        return files;
    }

    /**
     * Returns a digest of each secret, by its reference: {@code file:secrets/token}. The digests use a random key of
     * the process, so that they detect a change but do not reveal the secret.
     */
    public Map<String, String> digests() {
        return digests;
    }

    /** Returns the references that are in both maps with different digests, in sorted order. */
    public static List<String> changed(Map<String, String> earlier, Map<String, String> later) {
        List<String> changed = new ArrayList<>();
        earlier.forEach((reference, digest) -> {
            String now = later.get(reference);
            if (now != null && !now.equals(digest)) {
                changed.add(reference);
            }
        });
        changed.sort(null);
        return changed;
    }

    /** Returns the texts of the secrets, so that they can be removed from messages. */
    List<String> values() {
        return values;
    }

    /** Returns warnings about files that every user of the machine can read, one line each. */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns the references without the secrets. */
    @Override
    public String toString() {
        return new TreeSet<>(digests.keySet()).toString();
    }
}
