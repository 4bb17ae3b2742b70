package dev.lychgate.server.push;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a gateway to receivers. Immutable and thread-safe.
 *
 * @param instance an id that is unique for each start of each gateway
 * @param host the machine's name; {@code localhost} if it has none
 * @param version version of the gateway; {@code unknown} if it does not run from a jar
 */
public record Sender(String instance, String host, String version) {
    /**
     * Returns a supplier of the identity of a gateway that starts now. The first call of the supplier determines the
     * identity, because looking up the name of the machine may be slow. A gateway without receivers does not need this
     * name.
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

    /** Returns the name of this machine; {@code localhost} if it has none. */
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
     * Returns OpenTelemetry's resource attributes in a new map, which the caller may modify.
     *
     * @param service value of {@code service.name}
     * @see <a href="https://opentelemetry.io/docs/specs/semconv/resource/">OpenTelemetry: Resource semantic
     *     conventions</a>
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
