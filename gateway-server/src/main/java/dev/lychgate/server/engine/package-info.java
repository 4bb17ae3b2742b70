/**
 * The interface between the command line and the gateway. The input consists of settings, in which each record is valid
 * on its own. The output is a running gateway, or the reason for the failure in one line.
 */
@NullMarked
package dev.lychgate.server.engine;

import org.jspecify.annotations.NullMarked;
