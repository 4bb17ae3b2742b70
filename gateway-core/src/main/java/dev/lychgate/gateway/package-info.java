/**
 * The data plane put together: event loops, the generation, listeners. Assembly only; whoever runs it (a command line, a
 * test, another program) brings the settings and hears of what happens.
 */
@NullMarked
package dev.lychgate.gateway;

import org.jspecify.annotations.NullMarked;
