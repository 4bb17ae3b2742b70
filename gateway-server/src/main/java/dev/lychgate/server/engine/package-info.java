/**
 * The interface between the command line and the gateway. The input is the settings, of which each record is valid by
 * itself. The output is a running gateway, or the reason for the failure in one line.
 */
@NullMarked
package dev.lychgate.server.engine;

import org.jspecify.annotations.NullMarked;
