/**
 * Assembles the data plane: event loops, generations and listeners. The embedding program (the command line, a test,
 * another application) provides the configuration and receives the events of exchanges.
 */
@NullMarked
package dev.lychgate.gateway;

import org.jspecify.annotations.NullMarked;
