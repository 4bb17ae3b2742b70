/** Tests of the generator of load. */
@NullMarked
package dev.lychgate.perf.load;

import org.jspecify.annotations.NullMarked;
