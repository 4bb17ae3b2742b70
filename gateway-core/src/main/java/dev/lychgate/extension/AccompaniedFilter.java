package dev.lychgate.extension;

import dev.lychgate.filter.Filter;
import java.util.List;

/**
 * A filter of a {@link FilterDialect} that runs only together with the filters that
 * {@link FilterDialect.Generation#complete} returns. A test of this filter also runs the filters that
 * {@link #companions} returns.
 */
public interface AccompaniedFilter extends Filter {
    /** Returns the filters that this filter needs. Called after the generation is complete. */
    List<Filter> companions();
}
