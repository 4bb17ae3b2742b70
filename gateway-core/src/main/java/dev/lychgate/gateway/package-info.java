/**
 * Assembly of the data plane: event loops, the generation, listeners. The embedding program (a command line, a test, another
 * application) provides the settings and receives the events.
 */
@NullMarked
package dev.lychgate.gateway;

import org.jspecify.annotations.NullMarked;
