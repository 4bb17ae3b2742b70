package dev.lychgate.server.push;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What receivers tell a gateway by. Immutable; any thread.
 *
 * @param instance another one for each gateway, and at each start
 * @param host the machine's name, {@code localhost} if it has none
 * @param version of the gateway, {@code unknown} where it runs from classes
 */
public record Sender(String instance, String host, String version) {
    /**
     * A gateway that starts now. It is found out for the first who asks: the machine's name may take its time, and who sends
     * nothing to anybody need not wait for it.
     */
    public static Supplier<Sender> starting() {
        return new Starting();
    }

    private static final class Starting implements Supplier<Sender> {
        private @Nullable Sender sender;

        @Override
        public synchronized Sender get() {
            if (sender == null) {
                sender = new Sender(UUID.randomUUID().toString(), hostName(), versionOfJar());
            }
            return sender;
        }
    }

    /** The name of this machine, {@code localhost} if it has none. */
    public static String hostName() {
        String name = System.getenv("HOSTNAME");
        if (name != null && !name.isBlank()) {
            return name;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static String versionOfJar() {
        String version = Sender.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /**
     * The attributes of the resource that OpenTelemetry takes it for, in their order; the map is the caller's.
     *
     * @param service what {@code service.name} says
     * @see <a href="https://opentelemetry.io/docs/specs/semconv/resource/">OpenTelemetry: Resource semantic conventions</a>
     */
    public Map<String, String> resource(String service) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("service.name", service);
        attributes.put("service.version", version);
        attributes.put("service.instance.id", instance);
        attributes.put("host.name", host);
        return attributes;
    }
}
