/** Tests of the state of filters that outlives generations, and of what holds retired generations. */
@NullMarked
package dev.lychgate.filters.state;

import org.jspecify.annotations.NullMarked;
