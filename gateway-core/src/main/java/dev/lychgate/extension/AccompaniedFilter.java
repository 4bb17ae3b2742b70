package dev.lychgate.extension;

import dev.lychgate.filter.Filter;
import java.util.List;

/**
 * A filter of a {@link FilterDialect} that runs only together with the filters of {@link
 * FilterDialect.Generation#complete}. Tests of this filter also run those filters.
 */
public interface AccompaniedFilter extends Filter {
    /** Returns the filters that this filter needs. Called after the generation is complete. */
    List<Filter> companions();
}
