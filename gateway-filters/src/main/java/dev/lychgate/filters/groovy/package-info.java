/**
 * Filters written in Groovy, in a directory that may change while the gateway runs.
 * {@link dev.lychgate.filters.groovy.FilterDirectory} reads the directory into
 * {@link dev.lychgate.filters.groovy.FilterSources} at the start and whenever its
 * {@link dev.lychgate.filters.groovy.DirectoryStamp} changes. {@link dev.lychgate.filters.groovy.GroovyFilters} builds
 * {@link dev.lychgate.filters.groovy.BuiltFilters} for one generation of the gateway from the files, or reports all
 * errors of the files. The next stage is the generation.
 */
@NullMarked
package dev.lychgate.filters.groovy;

import org.jspecify.annotations.NullMarked;
