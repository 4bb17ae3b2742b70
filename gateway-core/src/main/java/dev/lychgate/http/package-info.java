/**
 * Plain values and rules of HTTP: heads, framing, hop-by-hop fields, forwarding fields, the normal form of paths. Knows
 * no channel and no other station.
 */
@NullMarked
package dev.lychgate.http;

import org.jspecify.annotations.NullMarked;
