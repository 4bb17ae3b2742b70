package dev.lychgate.origin;

import dev.lychgate.config.DnsConfig;
import java.util.concurrent.CompletionStage;

/** Resolves the host names of endpoints to which one event loop connects, without blocking this loop. */
public interface HostResolver {
    /**
     * Resolves a host name. Called on the event loop.
     *
     * @param dns the servers, the address family and the timeout of the lookup
     * @return completes on the event loop with an IP address; fails if the host has no usable address
     */
    CompletionStage<String> resolve(String host, DnsConfig dns);
}
