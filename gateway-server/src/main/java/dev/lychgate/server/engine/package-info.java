/**
 * The interface between the command line and the gateway. Settings arrive validated per record; the result is a running
 * gateway, or one line with the reason for the failure.
 */
@NullMarked
package dev.lychgate.server.engine;

import org.jspecify.annotations.NullMarked;
