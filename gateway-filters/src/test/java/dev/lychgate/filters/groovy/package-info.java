/** Tests of filters in Groovy: accepted and refused code, and the life cycle of generations. */
@NullMarked
package dev.lychgate.filters.groovy;

import org.jspecify.annotations.NullMarked;
