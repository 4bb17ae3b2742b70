package dev.lychgate.exchange.attempt;

import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.OriginTunnel;

/**
 * A tunnel that an origin has granted. Its attempt closes it.
 *
 * @param stream sends bytes and pauses reading
 * @param connection the connection of the tunnel, or its stream
 */
public record GrantedTunnel(OriginStream stream, OriginTunnel connection) {}
