package dev.lychgate.upstream;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.config.ServiceConfig;

/**
 * One address of one target in the DNS records (SRV) of a service.
 *
 * @param name the target's name, without the final dot
 * @param ip an address of the target
 * @param port 1 to 65535
 * @param weight 1 to {@value EndpointConfig#MAX_WEIGHT}
 * @param rank the rank of the record's priority among the priorities of all records, from 0
 */
public record ServiceTarget(String name, String ip, int port, int weight, int rank) {
    /**
     * Converts this target to an endpoint of the service {@code of}.
     *
     * @param secure whether connections use TLS
     */
    EndpointConfig endpoint(ServiceConfig of, boolean secure) {
        return new EndpointConfig(
                new EndpointAddress(ip, port, secure),
                weight,
                of.zone(),
                Math.min(EndpointConfig.MAX_PRIORITY, of.priority() + rank),
                of.metadata(),
                name + ":" + port,
                name,
                EndpointReadiness.READY);
    }
}
