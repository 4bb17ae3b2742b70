/**
 * Explains how a hypothetical request would be handled: its route, why other routes do not match, and its filters. The
 * command line explains files, and the admin listener the generation in use. Nothing is sent.
 */
@NullMarked
package dev.lychgate.server.explain;

import org.jspecify.annotations.NullMarked;
