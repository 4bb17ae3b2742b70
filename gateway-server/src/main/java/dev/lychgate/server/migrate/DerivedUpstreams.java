package dev.lychgate.server.migrate;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Derives upstreams from URLs of routes, and from the keys of Ribbon, Hystrix and {@code zuul.host}. */
final class DerivedUpstreams {
    private final LegacyProperties properties;
    private final List<String> notes;
    private final HystrixKeys hystrix;
    private final Map<String, String> upstreams = new LinkedHashMap<>();

    DerivedUpstreams(LegacyProperties properties, List<String> notes) {
        this.properties = properties;
        this.notes = notes;
        this.hystrix = new HystrixKeys(properties, notes);
    }

    /** Returns the name of the upstream of a service. */
    String ofService(String service) {
        String name = RouteKeys.name(service);
        if (!upstreams.containsKey(name)) {
            String client = service + ".ribbon.";
            List<String> endpoints = new ArrayList<>();
            for (String server : RouteKeys.list(properties.take(client + "listOfServers", ""))) {
                endpoints.add(DerivedYaml.quoted(server.contains("://") ? server : "http://" + server));
            }
            if (endpoints.isEmpty()) {
                notes.add("upstreams." + name + ": no key lists the servers of the service " + service
                        + "; replace http://" + name);
                endpoints.add(DerivedYaml.quoted("http://" + name));
            }
            upstreams.put(
                    name,
                    upstream(
                            endpoints,
                            millis(client + "ConnectTimeout", "ribbon.ConnectTimeout"),
                            millis(client + "ReadTimeout", "ribbon.ReadTimeout"),
                            hystrix.responseHead(service),
                            hystrix.guards(service)));
        }
        return name;
    }

    /** Returns the name of the upstream of a route with a URL. */
    String ofUrl(String route, URI origin) {
        String endpoint = origin.getScheme() + "://" + origin.getRawAuthority();
        Long connections = number("zuul.host.max-per-route-connections");
        String upstream = upstream(
                List.of(DerivedYaml.quoted(endpoint)),
                millis("zuul.host.connect-timeout-millis"),
                millis("zuul.host.socket-timeout-millis"),
                null,
                connections == null ? List.of() : List.of("pool: { connections: " + connections + " }"));
        String name = RouteKeys.name(route);
        while (!upstream.equals(upstreams.getOrDefault(name, upstream))) {
            name += "-url";
        }
        upstreams.put(name, upstream);
        return name;
    }

    /** Returns the upstreams by name, as values of a YAML mapping. */
    Map<String, String> all() {
        return upstreams;
    }

    /**
     * @param read the timeout of each read from the origin, in milliseconds
     * @param head the time until the head of the response, in milliseconds
     * @param others additional keys of the upstream
     */
    private static String upstream(
            List<String> endpoints,
            @Nullable Long connect,
            @Nullable Long read,
            @Nullable Long head,
            List<String> others) {
        List<String> timeouts = new ArrayList<>();
        if (connect != null) {
            timeouts.add("connect: " + connect + "ms");
        }
        if (read != null || head != null) {
            long shorter = Math.min(read == null ? Long.MAX_VALUE : read, head == null ? Long.MAX_VALUE : head);
            timeouts.add("response-head: " + shorter + "ms");
        }
        if (read != null) {
            timeouts.add("response-body: " + read + "ms");
        }
        List<String> keys = new ArrayList<>();
        keys.add("endpoints: [" + String.join(", ", endpoints) + "]");
        if (!timeouts.isEmpty()) {
            keys.add("timeouts: { " + String.join(", ", timeouts) + " }");
        }
        keys.addAll(others);
        return "{ " + String.join(", ", keys) + " }";
    }

    private @Nullable Long millis(String... keys) {
        Long found = null;
        for (String key : keys) {
            Long value = number(key);
            found = found == null ? value : found;
        }
        return found;
    }

    private @Nullable Long number(String key) {
        String value = properties.take(key);
        if (value == null) {
            return null;
        }
        try {
            long number = Long.parseLong(value, 10);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        String note = key + "=" + value + ": not a positive number";
        if (!notes.contains(note)) {
            notes.add(note);
        }
        return null;
    }
}
