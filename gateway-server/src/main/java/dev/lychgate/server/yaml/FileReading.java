package dev.lychgate.server.yaml;

import java.nio.file.Path;

/**
 * The state of reading one configuration file: the errors that were found, the environment variables, and the secrets
 * to which the file refers.
 */
class FileReading {
    final String file;
    final Faults faults;
    final Placeholders placeholders;
    final SecretsRead secrets;

    FileReading(String file, Environment environment) {
        this.file = file;
        this.faults = new Faults(file);
        this.placeholders = new Placeholders(environment);
        this.secrets = new SecretsRead(file, placeholders);
    }

    /** Resolves a path that a configuration file contains. The path is relative to the directory of this file. */
    final String path(Position place, String text) {
        return text.isBlank()
                ? text
                : Path.of(place.in(file)).resolveSibling(text).toString();
    }
}
