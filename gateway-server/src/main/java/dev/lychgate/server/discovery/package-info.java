/**
 * The sources of endpoints: files, and the plain HTTP interfaces of registries. Each source has its own thread, on
 * which it reads and parses responses. The JVM loads the classes of this package only if an upstream names a source.
 */
@NullMarked
package dev.lychgate.server.discovery;

import org.jspecify.annotations.NullMarked;
