/**
 * The application log of the process: its format and its levels as configured, and levels changed while it runs.
 * The lines are encoded by {@code textlog}.
 */
@NullMarked
package dev.lychgate.server.applog;

import org.jspecify.annotations.NullMarked;
