/**
 * Filters written in Groovy, in a directory that may change while the gateway runs. Files arrive here as
 * {@link dev.lychgate.filters.groovy.FilterSources}, read by {@link dev.lychgate.filters.groovy.FilterDirectory} and again
 * whenever its {@link dev.lychgate.filters.groovy.DirectoryStamp} changes; what leaves
 * {@link dev.lychgate.filters.groovy.GroovyFilters} is {@link dev.lychgate.filters.groovy.BuiltFilters} for one generation
 * of the gateway, or everything that is wrong with the files. The generation comes next.
 */
@NullMarked
package dev.lychgate.filters.groovy;

import org.jspecify.annotations.NullMarked;
