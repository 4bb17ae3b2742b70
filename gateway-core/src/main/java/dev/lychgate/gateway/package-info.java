/**
 * Assembles the data plane: event loops, generations and listeners. The program that embeds the gateway, such as the
 * command line or a test, provides the configuration and receives the events of exchanges.
 */
@NullMarked
package dev.lychgate.gateway;

import org.jspecify.annotations.NullMarked;
