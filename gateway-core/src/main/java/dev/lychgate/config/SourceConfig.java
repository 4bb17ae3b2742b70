package dev.lychgate.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source of endpoints: one of the components is not null.
 *
 * @param file files in a directory
 * @param consul the services of Consul
 */
public record SourceConfig(
        @Nullable FileSourceConfig file,
        @Nullable ConsulConfig consul) {
    private static final Key<FileSourceConfig> FILE = Key.section("file", null, FileSourceConfig.KEYS::read)
            .absent("another source")
            .about("[files](discovery.md#files) in a directory, one for each service; exactly one kind of source is"
                    + " required");
    private static final Key<ConsulConfig> CONSUL = Key.section("consul", null, ConsulConfig::read)
            .absent("another source")
            .about("the services of [Consul](discovery.md#consul)");

    public SourceConfig {
        Map<String, Object> present = new LinkedHashMap<>();
        add(present, FILE, file);
        add(present, CONSUL, consul);
        List<String> names = List.copyOf(present.keySet());
        Expect.that(!names.isEmpty(), FILE.name(), "missing", "a source");
        Expect.that(
                names.size() < 2,
                names.get(names.size() - 1),
                "together with " + names.get(0),
                "one of the two");
    }

    private static void add(Map<String, Object> to, Key<?> key, @Nullable Object value) {
        if (value != null) {
            to.put(key.name(), value);
        }
    }

    static SourceConfig read(Key.Values values) {
        values.exactlyOne(FILE.name(), CONSUL.name());
        return new SourceConfig(values.get(FILE), values.get(CONSUL));
    }

    /** Creates a source of files. */
    public static SourceConfig of(FileSourceConfig file) {
        return new SourceConfig(file, null);
    }

    /** Creates a source in Consul. */
    public static SourceConfig of(ConsulConfig consul) {
        return new SourceConfig(null, consul);
    }
}
