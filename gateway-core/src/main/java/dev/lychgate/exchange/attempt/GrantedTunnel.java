package dev.lychgate.exchange.attempt;

import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.OriginTunnel;

/**
 * A tunnel that an origin has granted. Its attempt closes it.
 *
 * @param stream sends and pauses bytes
 * @param connection the connection of the tunnel, or its stream of one
 */
public record GrantedTunnel(OriginStream stream, OriginTunnel connection) {}
