package dev.lychgate.server.yaml;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.Key;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the whole file, and checks what holds between its sections. */
final class GatewayReader {
    private final Reading reading;

    GatewayReader(Reading reading) {
        this.reading = reading;
    }

    /** Returns the configuration; null if there are faults. */
    @Nullable
    GatewayConfig read(@Nullable Node root) {
        return reading.root(root).section(top -> top.build(() -> read(top)));
    }

    private GatewayConfig read(Section top) {
        Top values = new Top(top);
        try {
            return GatewayConfig.read(values);
        } finally {
            // Before the configuration finds the same without knowing of lines and similar names.
            reading.references.check(top.get("upstreams").names(), values.upstreams, reading.faults);
        }
    }

    /** Keeps the upstreams in view. */
    private static final class Top implements Key.Values {
        private final Section section;
        private Map<?, ?> upstreams = Map.of();

        Top(Section section) {
            this.section = section;
        }

        @Override
        public <T> T get(Key<T> key) {
            T value = section.get(key);
            if (key.name().equals("upstreams")) {
                upstreams = (Map<?, ?>) value;
            }
            return value;
        }
    }
}
