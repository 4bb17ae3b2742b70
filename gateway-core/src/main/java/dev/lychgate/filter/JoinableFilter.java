package dev.lychgate.filter;

/**
 * A blocking filter that can run on the same thread as the preceding blocking filter. Consecutive joinable filters of a
 * phase run on one thread, one after the other, so that the exchange leaves its event loop only once. Each filter has
 * its own outcome, timeout, counters and failures.
 *
 * <p>The gateway calls {@link #applies} and {@link #needsBody} of all these filters before the first one runs. The
 * results must therefore not depend on the effects of preceding filters.
 */
public interface JoinableFilter extends BlockingFilter {}
