/**
 * What a request would meet that is only thought of: which route, and why not the others, and which filters. Asked by the
 * command line of files, and by the admin listener of a generation that runs. Nothing is sent.
 */
@NullMarked
package dev.lychgate.server.explain;

import org.jspecify.annotations.NullMarked;
