/**
 * The interface between the command line and the gateway. The input is settings. Each record of the settings is valid
 * on its own. The output is a running gateway, or a one-line reason for the failure.
 */
@NullMarked
package dev.lychgate.server.engine;

import org.jspecify.annotations.NullMarked;
