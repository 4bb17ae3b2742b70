package dev.lychgate.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The store of a fleet. Exactly one of the components is not null.
 *
 * @param directory a directory that all nodes mount
 * @param etcd an etcd cluster
 * @param contributed a store of an extension, with its settings
 */
public record FleetStoreConfig(
        @Nullable String directory,
        @Nullable EtcdConfig etcd,
        @Nullable FilterConfig contributed) implements WrittenConfig.Section {
    private static final Key<String> DIRECTORY = Key.file("directory")
            .absent("another store")
            .about("a directory that all nodes mount, on a file system with atomic renames and hard links; the section "
                    + "contains either `directory`, or `etcd`, or the name of a store of an [extension](extensions.md) "
                    + "with its settings");
    private static final Key<EtcdConfig> ETCD = Key.section("etcd", null, EtcdConfig.KEYS::read)
            .absent("another store")
            .about("an etcd cluster, version 3.4 or later");

    static final FleetStoreConfig NONE = ofDirectory("unnamed");

    public FleetStoreConfig {
        Expect.that(
                directory != null || etcd != null || contributed != null,
                "directory",
                "missing",
                "a directory, or another store");
        Expect.that(directory == null || etcd == null, "etcd", "set together with directory", "only one of the two");
        Expect.that(
                contributed == null || (directory == null && etcd == null),
                contributed == null ? "" : contributed.name(),
                "set together with another store",
                "only one of the two");
        Expect.that(directory == null || !directory.isBlank(), "directory", String.valueOf(directory), "a directory");
    }

    static FleetStoreConfig read(Key.Values values) {
        String directory = values.get(DIRECTORY);
        EtcdConfig etcd = values.get(ETCD);
        return new FleetStoreConfig(
                directory, etcd, values.exactlyOne(Form.FLEET_STORE, DIRECTORY.name(), ETCD.name()));
    }

    /** Creates a store in a directory. */
    public static FleetStoreConfig ofDirectory(String directory) {
        return new FleetStoreConfig(directory, null, null);
    }

    /** Creates a store in an etcd cluster. */
    public static FleetStoreConfig of(EtcdConfig etcd) {
        return new FleetStoreConfig(null, etcd, null);
    }

    /** Creates a store of an extension. */
    public static FleetStoreConfig of(FilterConfig contributed) {
        return new FleetStoreConfig(null, null, contributed);
    }

    @Override
    public void complete(Map<String, @Nullable Object> section) {
        if (contributed != null) {
            section.put(contributed.name(), PlainValues.written(contributed.settings()));
        }
    }
}
