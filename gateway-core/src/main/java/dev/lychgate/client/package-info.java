/**
 * Protection against individual clients: lists of addresses that are accepted or refused, limits of connections,
 * requests and streams for each client, and bans. All event loops share the state, which is changed by compare-and-set,
 * without locks.
 */
@NullMarked
package dev.lychgate.client;

import org.jspecify.annotations.NullMarked;
