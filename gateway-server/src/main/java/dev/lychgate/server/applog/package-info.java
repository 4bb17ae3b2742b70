/**
 * The application log of the process: its configured format and levels, and changes of levels while the process runs.
 * The package {@code textlog} encodes the lines.
 */
@NullMarked
package dev.lychgate.server.applog;

import org.jspecify.annotations.NullMarked;
