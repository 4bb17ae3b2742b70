package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * A source of endpoints: one of the components is not null.
 *
 * @param file files in a directory
 */
public record SourceConfig(@Nullable FileSourceConfig file) {
    private static final Key<FileSourceConfig> FILE = Key.section("file", null, FileSourceConfig.KEYS::read)
            .required("a section such as { directory: endpoints }")
            .about("[files](discovery.md#files) in a directory, one for each service");

    static final Keys<SourceConfig> KEYS = Keys.of(SourceConfig::new, FILE);

    public SourceConfig {
        Expect.that(file != null, "file", "missing", "a source");
    }
}
