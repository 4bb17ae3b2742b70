package dev.lychgate.upstream;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.ServiceConfig;
import dev.lychgate.config.UpstreamConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The last good answers of DNS to the names of one upstream. Immutable.
 *
 * @param hosts by host name: its addresses
 * @param services by the name of a service: where it is served; empty if its records say that it is not
 */
public record DnsAnswers(Map<String, List<String>> hosts, Map<String, List<ServiceTarget>> services) {
    static final DnsAnswers NONE = new DnsAnswers(Map.of(), Map.of());

    public DnsAnswers {
        hosts = Map.copyOf(hosts);
        services = Map.copyOf(services);
    }

    DnsAnswers withHost(String name, List<String> addresses) {
        Map<String, List<String>> others = new HashMap<>(hosts);
        others.put(name, List.copyOf(addresses));
        return new DnsAnswers(others, services);
    }

    DnsAnswers withService(String name, List<ServiceTarget> targets) {
        Map<String, List<ServiceTarget>> others = new HashMap<>(services);
        others.put(name, List.copyOf(targets));
        return new DnsAnswers(hosts, others);
    }

    /** Without the names that {@code config} does not have. */
    DnsAnswers keep(UpstreamConfig config) {
        Set<String> names =
                config.endpoints().stream().map(e -> e.address().host()).collect(Collectors.toSet());
        Set<String> srv = config.services().stream().map(ServiceConfig::name).collect(Collectors.toSet());
        Map<String, List<String>> keptHosts = new HashMap<>(hosts);
        keptHosts.keySet().retainAll(names);
        Map<String, List<ServiceTarget>> keptServices = new HashMap<>(services);
        keptServices.keySet().retainAll(srv);
        return new DnsAnswers(keptHosts, keptServices);
    }

    /**
     * The endpoints of an upstream, an address in the place of each name. A host name without an answer stands for itself
     * and is resolved with each connect; a service without one has no endpoints. An address that is named twice is one
     * endpoint, the one that is named first.
     */
    List<EndpointConfig> endpoints(UpstreamConfig config) {
        Map<EndpointAddress, EndpointConfig> found = new LinkedHashMap<>();
        for (EndpointConfig endpoint : config.endpoints()) {
            List<String> addresses = hosts.get(endpoint.address().host());
            if (addresses == null || !endpoint.address().isName()) {
                found.putIfAbsent(endpoint.address(), endpoint);
            } else {
                for (String ip : addresses) {
                    EndpointConfig at = endpoint.at(ip);
                    found.putIfAbsent(at.address(), at);
                }
            }
        }
        for (ServiceConfig service : config.services()) {
            for (ServiceTarget target : services.getOrDefault(service.name(), List.of())) {
                EndpointConfig endpoint = target.endpoint(service, config.tls() != null);
                found.putIfAbsent(endpoint.address(), endpoint);
            }
        }
        return new ArrayList<>(found.values());
    }
}
