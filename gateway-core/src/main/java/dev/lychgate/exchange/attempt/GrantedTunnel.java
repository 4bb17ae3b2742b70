package dev.lychgate.exchange.attempt;

import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.OriginTunnel;

/**
 * A tunnel that an origin has granted in its response. The attempt closes the tunnel.
 *
 * @param stream sends bytes to the origin, and pauses and resumes reading
 * @param connection the connection, or the stream, of the tunnel
 */
public record GrantedTunnel(OriginStream stream, OriginTunnel connection) {}
