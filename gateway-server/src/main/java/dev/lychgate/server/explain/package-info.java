/**
 * Explains how a hypothetical request would be handled: its route, why other routes do not match, and its filters. The
 * command line explains the configuration in files, and the admin listener explains the generation in use. No request
 * is sent.
 */
@NullMarked
package dev.lychgate.server.explain;

import org.jspecify.annotations.NullMarked;
