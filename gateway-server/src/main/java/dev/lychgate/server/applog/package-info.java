/**
 * The application log of the process: its form and its levels as they are configured, and levels changed while it runs.
 * What stands in its lines of text is made safe by {@code textlog}.
 */
@NullMarked
package dev.lychgate.server.applog;

import org.jspecify.annotations.NullMarked;
