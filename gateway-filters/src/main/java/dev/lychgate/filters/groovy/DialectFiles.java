package dev.lychgate.filters.groovy;

import dev.lychgate.extension.FilterDialect;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes files that a dialect does not need: the gateway can run the filters of the dialect without them. */
final class DialectFiles {
    private static final Logger LOG = LoggerFactory.getLogger(DialectFiles.class);

    private DialectFiles() {}

    /**
     * Returns the sources without the files that the dialect does not need, and logs each removed file.
     *
     * @param dialect the dialect in which files may be written; null without a dialect
     */
    static FilterSources used(FilterSources sources, @Nullable FilterDialect dialect) {
        if (dialect == null) {
            return sources;
        }
        List<FilterSource> used = new ArrayList<>();
        for (FilterSource file : sources.files()) {
            String reason = dialect.isIn(file.text()) ? dialect.leftOut(file.path(), file.text()) : null;
            if (reason == null) {
                used.add(file);
            } else {
                LOG.info("filters: {} is left out: {}", file.path(), reason);
            }
        }
        return FilterSources.of(used, sources.libraries(), sources.warnings(), sources.ignored());
    }
}
