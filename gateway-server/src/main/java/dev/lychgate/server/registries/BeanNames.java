package dev.lychgate.server.registries;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** How MBeans are called: the metric first, then its labels, so that JConsole shows them as a tree. */
final class BeanNames {
    private static final String DOMAIN = "dev.lychgate";

    /** The labels that say where it is come before those that say what it is. */
    private static final List<String> FIRST = List.of("listener", "route", "upstream", "endpoint", "phase", "filter");

    private final @Nullable String gateway;

    /** @param gateway tells a second gateway of the same JVM from the first; null for the first */
    BeanNames(@Nullable String gateway) {
        this.gateway = gateway;
    }

    ObjectName gateway() {
        return of("gateway", Map.of());
    }

    ObjectName of(Series series) {
        return of(series.name(), series.labels());
    }

    private ObjectName of(String type, Map<String, String> labels) {
        StringBuilder name = new StringBuilder(DOMAIN).append(":type=").append(type);
        if (gateway != null) {
            name.append(",gateway=").append(gateway);
        }
        Map<String, String> further = new LinkedHashMap<>(labels);
        for (String label : FIRST) {
            String value = further.remove(label);
            if (value != null) {
                append(name, label, value);
            }
        }
        further.forEach((label, value) -> append(name, label, value));
        try {
            return new ObjectName(name.toString());
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException("not a name: " + name, e);
        }
    }

    private static void append(StringBuilder name, String label, String value) {
        boolean taken = label.equals("type") || label.equals("gateway");
        name.append(taken ? ",label_" : ",")
                .append(label)
                .append('=')
                .append(plain(value) ? value : ObjectName.quote(value));
    }

    private static boolean plain(String value) {
        return !value.isEmpty() && value.chars().noneMatch(c -> c < 0x20 || ",=:\"*?".indexOf(c) >= 0);
    }
}
