package dev.lychgate.server.discovery;

import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A copy of a registry of Eureka: the instances by application. An instance with the status {@code UP} is ready, and an
 * instance with the status {@code OUT_OF_SERVICE} is draining. All other instances are omitted. Not thread-safe.
 */
final class EurekaRegistry {
    /** The value of the key {@code port} that selects the port for TLS. */
    static final String SECURE = "secure";

    private final Map<String, Map<String, JsonValue>> applications = new LinkedHashMap<>();

    private EurekaRegistry() {}

    /** Creates a copy from a response that contains the whole registry. */
    static EurekaRegistry of(JsonValue json) {
        EurekaRegistry registry = new EurekaRegistry();
        instances(json).forEach(registry::put);
        return registry;
    }

    private static Stream<JsonValue> instances(JsonValue json) {
        return oneOrMore(json.get("applications").get("application"))
                .flatMap(application -> oneOrMore(application.get("instance")));
    }

    /** Returns the items of a list. Some versions of Eureka write a list with a single item as the item itself. */
    private static Stream<JsonValue> oneOrMore(JsonValue json) {
        return json.isObject() ? Stream.of(json) : json.items().stream();
    }

    private static String name(String application) {
        return application.toUpperCase(Locale.ROOT);
    }

    private Map<String, JsonValue> instancesOf(String application) {
        return applications.computeIfAbsent(name(application), name -> new LinkedHashMap<>());
    }

    private void put(JsonValue instance) {
        instancesOf(instance.get("app").raw()).put(id(instance), instance);
    }

    private static String id(JsonValue instance) {
        String id = instance.get("instanceId").raw();
        return id.isEmpty() ? instance.get("hostName").raw() : id;
    }

    /**
     * Applies changes to the copy. Returns whether the hash code of the changed copy equals the hash code in the
     * response.
     *
     * @param json the response to the request for changes
     */
    boolean apply(JsonValue json) {
        instances(json).forEach(instance -> {
            if (instance.get("actionType").raw().equals("DELETED")) {
                instancesOf(instance.get("app").raw()).remove(id(instance));
            } else {
                put(instance);
            }
        });
        JsonValue expected = json.get("applications").get("apps__hashcode");
        return !expected.isMissing() && expected.raw().equals(hashCodeOfStates());
    }

    /** Returns the number of instances for each status, such as {@code DOWN_1_UP_2_}. */
    private String hashCodeOfStates() {
        Map<String, Integer> counts = new TreeMap<>();
        applications
                .values()
                .forEach(instances -> instances
                        .values()
                        .forEach(instance -> counts.merge(instance.get("status").raw(), 1, Integer::sum)));
        StringBuilder code = new StringBuilder();
        counts.forEach(
                (status, count) -> code.append(status).append('_').append(count).append('_'));
        return code.toString();
    }

    /**
     * Returns the endpoints of an application.
     *
     * @param port {@value #SECURE} for the port with TLS. With any other value, the port without TLS is used. If an
     *     instance has disabled its port without TLS, its port with TLS is used instead.
     */
    List<FoundEndpoint> endpoints(String application, String port) {
        List<FoundEndpoint> endpoints = new ArrayList<>();
        for (JsonValue instance :
                applications.getOrDefault(name(application), Map.of()).values()) {
            switch (instance.get("status").raw()) {
                case "UP" -> add(endpoints, instance, port, EndpointReadiness.READY);
                case "OUT_OF_SERVICE" -> add(endpoints, instance, port, EndpointReadiness.DRAINING);
                default -> {
                    // The instance does not serve.
                }
            }
        }
        return endpoints;
    }

    private static void add(List<FoundEndpoint> to, JsonValue instance, String port, EndpointReadiness readiness) {
        Map<String, String> metadata = new LinkedHashMap<>();
        instance.get("metadata").fields().forEach((name, value) -> {
            if (!name.startsWith("@")) {
                metadata.put(name, value.scalar());
            }
        });
        JsonValue plain = instance.get("port");
        boolean secure = port.equals(SECURE) || plain.get("@enabled").scalar().equals("false");
        String number = (secure ? instance.get("securePort") : plain).get("$").scalar();
        String address = instance.get("ipAddr").raw();
        String zone = metadata.getOrDefault("zone", "");
        try {
            to.add(FoundEndpoint.of(
                    address.isEmpty() ? instance.get("hostName").raw() : address,
                    Integer.parseInt(number),
                    1,
                    zone.isEmpty()
                            ? instance.get("dataCenterInfo")
                                    .get("metadata")
                                    .get("availability-zone")
                                    .raw()
                            : zone,
                    0,
                    readiness,
                    metadata));
        } catch (IllegalArgumentException e) {
            // An instance without a valid address cannot receive requests.
        }
    }
}
