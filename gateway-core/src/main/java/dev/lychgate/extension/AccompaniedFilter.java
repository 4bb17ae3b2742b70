package dev.lychgate.extension;

import dev.lychgate.filter.Filter;
import java.util.List;

/**
 * A filter of a {@link FilterDialect} that runs only together with the filters of {@link
 * FilterDialect.Generation#complete}. A test of this filter also runs its companions.
 */
public interface AccompaniedFilter extends Filter {
    /** Returns the filters that this filter needs. Called after the generation is complete. */
    List<Filter> companions();
}
