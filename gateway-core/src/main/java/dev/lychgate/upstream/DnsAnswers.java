package dev.lychgate.upstream;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.ServiceConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.upstream.DnsQuestion.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last good answers of DNS to the questions of one upstream. Immutable.
 *
 * @param hosts the addresses of each host
 * @param services where each service is served; empty if its records say that it is not
 */
public record DnsAnswers(Map<DnsQuestion, List<String>> hosts, Map<DnsQuestion, List<ServiceTarget>> services) {
    static final DnsAnswers NONE = new DnsAnswers(Map.of(), Map.of());

    public DnsAnswers {
        hosts = Map.copyOf(hosts);
        services = Map.copyOf(services);
    }

    DnsAnswers withHost(DnsQuestion question, List<String> addresses) {
        return new DnsAnswers(with(hosts, question, List.copyOf(addresses)), services);
    }

    DnsAnswers withService(DnsQuestion question, List<ServiceTarget> targets) {
        return new DnsAnswers(hosts, with(services, question, List.copyOf(targets)));
    }

    /** With an answer to {@code question}, if there is one to the same question asked in another way. */
    DnsAnswers withLent(DnsQuestion question) {
        return new DnsAnswers(lent(hosts, question), lent(services, question));
    }

    DnsAnswers without(DnsQuestion question) {
        return new DnsAnswers(without(hosts, question), without(services, question));
    }

    private static <T> Map<DnsQuestion, T> with(Map<DnsQuestion, T> known, DnsQuestion question, T answer) {
        Map<DnsQuestion, T> more = new HashMap<>(known);
        more.put(question, answer);
        return more;
    }

    private static <T> Map<DnsQuestion, T> lent(Map<DnsQuestion, T> known, DnsQuestion question) {
        if (known.containsKey(question)) {
            return known;
        }
        return known.entrySet().stream()
                .filter(other -> other.getKey().isForSameAs(question))
                .findAny()
                .map(other -> with(known, question, other.getValue()))
                .orElse(known);
    }

    private static <T> Map<DnsQuestion, T> without(Map<DnsQuestion, T> known, DnsQuestion question) {
        Map<DnsQuestion, T> fewer = new HashMap<>(known);
        fewer.remove(question);
        return fewer;
    }

    /**
     * The endpoints of an upstream, an address in the place of each name. A host name without an answer stands for itself
     * and is resolved with each connect; a service without one has no endpoints. An address that is named twice is one
     * endpoint, the one that is named first.
     */
    List<EndpointConfig> endpoints(UpstreamConfig config) {
        Map<EndpointAddress, EndpointConfig> found = new LinkedHashMap<>();
        for (EndpointConfig endpoint : config.endpoints()) {
            List<String> addresses =
                    hosts.get(new DnsQuestion(Kind.HOST, endpoint.address().host(), config.dns()));
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
            DnsQuestion question = new DnsQuestion(Kind.SERVICE, service.name(), config.dns());
            for (ServiceTarget target : services.getOrDefault(question, List.of())) {
                EndpointConfig endpoint = target.endpoint(service, config.tls() != null);
                found.putIfAbsent(endpoint.address(), endpoint);
            }
        }
        return new ArrayList<>(found.values());
    }
}
