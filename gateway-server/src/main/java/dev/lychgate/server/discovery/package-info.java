/**
 * The sources of endpoints: files, and the plain HTTP interfaces of registries. Each source has its own thread, on which it
 * reads and parses responses. No class of this package is loaded unless an upstream names a source.
 */
@NullMarked
package dev.lychgate.server.discovery;

import org.jspecify.annotations.NullMarked;
