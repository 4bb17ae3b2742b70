package dev.lychgate.zuul;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Advice for files that use classes of other libraries. */
final class Remedies {
    private static final String BALANCES =
            "the gateway itself balances requests; name an upstream in extensions.zuul.vips and delete this code";
    private static final Map<String, String> BY_PREFIX = new LinkedHashMap<>();

    static {
        BY_PREFIX.put("com.netflix.client.", "this class belongs to Ribbon: " + BALANCES);
        BY_PREFIX.put("com.netflix.niws.", "this class belongs to Ribbon: " + BALANCES);
        BY_PREFIX.put("com.netflix.loadbalancer.", "this class belongs to Ribbon: " + BALANCES);
        BY_PREFIX.put("com.netflix.ribbon.", "this class belongs to Ribbon: " + BALANCES);
        BY_PREFIX.put("com.netflix.appinfo.", "this class belongs to Eureka: " + BALANCES);
        BY_PREFIX.put("com.netflix.discovery.", "this class belongs to Eureka: " + BALANCES);
        BY_PREFIX.put(
                "com.netflix.hystrix.",
                "this class belongs to Hystrix; put its jar into filters.libraries, or use the breaker of the upstream");
        BY_PREFIX.put(
                "com.netflix.astyanax.",
                "this class belongs to the Cassandra client; the gateway reads filters from files");
        BY_PREFIX.put(
                "com.netflix.servo.",
                "this class belongs to Servo; the metrics of the gateway count the runs of each filter");
        BY_PREFIX.put(
                "com.netflix.spectator.",
                "this class belongs to Spectator; put its jar into filters.libraries, or delete this code");
        for (String internal : List.of("netty.", "passport.", "origins.", "niws.")) {
            BY_PREFIX.put(
                    "com.netflix.zuul." + internal,
                    "this class belongs to the internals of Zuul 2; the gateway itself manages connections, origins"
                            + " and attempts");
        }
        for (String moved : List.of("Http", "Headers", "ZuulMessage", "Cookies")) {
            BY_PREFIX.put(
                    "com.netflix.zuul.context." + moved,
                    "the release of Zuul 2 has this class in com.netflix.zuul.message or com.netflix.zuul.message.http");
        }
        BY_PREFIX.put(
                "com.netflix.zuul.",
                "the extension does not contain this class; docs/zuul.md lists the classes of the extension");
        BY_PREFIX.put(
                "com.netflix.config.",
                "the extension does not contain this class; docs/zuul.md lists the classes of the extension");
        for (String fork : List.of("com.along101.pgateway.", "io.spring2go.zuul.")) {
            BY_PREFIX.put(
                    fork,
                    "this class belongs to a fork of Zuul; import the class of the same name from com.netflix.zuul");
        }
        BY_PREFIX.put("org.springframework.", "this class belongs to Spring; put its jar into filters.libraries");
    }

    private Remedies() {}

    /** Returns the advice for a class that does not exist; null if there is none. */
    static @Nullable String of(String className) {
        return BY_PREFIX.entrySet().stream()
                .filter(each -> className.startsWith(each.getKey()))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElse(null);
    }
}
