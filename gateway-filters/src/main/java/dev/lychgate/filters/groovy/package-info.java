/**
 * Filters that are written in Groovy, in a directory that may change while the gateway runs. {@link
 * dev.lychgate.filters.groovy.FilterDirectory} reads the directory at the start, and after each change that {@link
 * dev.lychgate.filters.groovy.DirectoryStamp} detects. The result of a read is {@link
 * dev.lychgate.filters.groovy.FilterSources}. From the sources, {@link dev.lychgate.filters.groovy.GroovyFilters}
 * builds {@link dev.lychgate.filters.groovy.BuiltFilters} for one generation of the gateway, or reports all errors of
 * the files.
 */
@NullMarked
package dev.lychgate.filters.groovy;

import org.jspecify.annotations.NullMarked;
