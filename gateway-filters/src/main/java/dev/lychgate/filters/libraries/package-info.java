/**
 * Libraries of filters, in jars: {@link dev.lychgate.filters.libraries.LibraryJar} reads a jar,
 * {@link dev.lychgate.filters.libraries.JarClassLoader} defines the classes of jars, and
 * {@link dev.lychgate.filters.libraries.FilterClassPath} decides which classes of the gateway filters can use.
 */
@NullMarked
package dev.lychgate.filters.libraries;

import org.jspecify.annotations.NullMarked;
