/**
 * Jars in the filter directory: {@link dev.lychgate.filters.libraries.LibraryJar} reads one,
 * {@link dev.lychgate.filters.libraries.JarClassLoader} defines its classes, and
 * {@link dev.lychgate.filters.libraries.FilterClassPath} decides which classes of the gateway are visible.
 */
@NullMarked
package dev.lychgate.filters.libraries;

import org.jspecify.annotations.NullMarked;
