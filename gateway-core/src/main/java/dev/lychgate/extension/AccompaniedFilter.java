package dev.lychgate.extension;

import dev.lychgate.filter.Filter;
import java.util.List;

/** A filter of a {@link FilterDialect} that needs the filters of {@link FilterDialect.Generation#complete}. Tests of the filter add them. */
public interface AccompaniedFilter extends Filter {
    /** Returns the filters that this filter needs. Called after the generation is complete. */
    List<Filter> companions();
}
