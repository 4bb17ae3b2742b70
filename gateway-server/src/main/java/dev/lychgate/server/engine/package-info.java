/**
 * What the command line asks of the gateway, and no more. Settings arrive here checked record by record; what comes
 * back is a running gateway, or one line that says why not.
 */
@NullMarked
package dev.lychgate.server.engine;

import org.jspecify.annotations.NullMarked;
