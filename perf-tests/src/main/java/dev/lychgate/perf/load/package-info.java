/** A generator of load at a constant rate, for the scripts of {@code perf-tests}. */
@NullMarked
package dev.lychgate.perf.load;

import org.jspecify.annotations.NullMarked;
