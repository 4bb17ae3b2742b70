/**
 * The interface between the command line and the gateway. The input is settings that are valid record by record. The
 * output is a running gateway, or the reason for a failure in one line.
 */
@NullMarked
package dev.lychgate.server.engine;

import org.jspecify.annotations.NullMarked;
