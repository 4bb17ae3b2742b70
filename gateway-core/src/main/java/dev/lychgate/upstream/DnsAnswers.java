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
 * The last successful DNS results for the names of one upstream: the addresses of each host as strings, and the {@link
 * ServiceTarget}s of each service. If the DNS records of a service declare it unavailable, the service has no targets.
 * Immutable.
 */
public record DnsAnswers(Map<DnsQuestion, List<?>> known) {
    static final DnsAnswers NONE = new DnsAnswers(Map.of());

    public DnsAnswers {
        known = Map.copyOf(known);
    }

    DnsAnswers with(DnsQuestion question, List<?> answer) {
        Map<DnsQuestion, List<?>> more = new HashMap<>(known);
        more.put(question, List.copyOf(answer));
        return new DnsAnswers(more);
    }

    /**
     * Returns these results, with a result for {@code question} added if it is missing. The added result is copied from
     * a question that has the same name, but different DNS settings. If there is no such question, returns these
     * results unchanged.
     */
    DnsAnswers withLent(DnsQuestion question) {
        return known.containsKey(question)
                ? this
                : known.entrySet().stream()
                        .filter(other -> other.getKey().isForSameAs(question))
                        .findAny()
                        .map(other -> with(question, other.getValue()))
                        .orElse(this);
    }

    DnsAnswers without(DnsQuestion question) {
        Map<DnsQuestion, List<?>> fewer = new HashMap<>(known);
        fewer.remove(question);
        return new DnsAnswers(fewer);
    }

    /**
     * Returns the endpoints of an upstream, in which addresses replace the names. An unresolved host name is kept, and
     * is resolved at each connect. An unresolved service has no endpoints. If several endpoints have the same address,
     * the result contains the first of them.
     */
    List<EndpointConfig> endpoints(UpstreamConfig config) {
        List<EndpointConfig> found = new ArrayList<>();
        for (EndpointConfig endpoint : config.endpoints()) {
            List<?> addresses =
                    known.get(new DnsQuestion(Kind.HOST, endpoint.address().host(), config.dns()));
            if (addresses == null || !endpoint.address().isName()) {
                found.add(endpoint);
            } else {
                addresses.forEach(ip -> found.add(endpoint.at(String.valueOf(ip))));
            }
        }
        for (ServiceConfig service : config.services()) {
            DnsQuestion question = new DnsQuestion(Kind.SERVICE, service.name(), config.dns());
            for (Object answer : known.getOrDefault(question, List.of())) {
                if (answer instanceof ServiceTarget target) {
                    found.add(target.endpoint(service, config.tls() != null));
                }
            }
        }
        Map<EndpointAddress, EndpointConfig> once = new LinkedHashMap<>();
        found.forEach(endpoint -> once.putIfAbsent(endpoint.address(), endpoint));
        return new ArrayList<>(once.values());
    }
}
