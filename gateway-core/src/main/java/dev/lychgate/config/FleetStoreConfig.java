package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * The store of a fleet: one of the components is not null.
 *
 * @param directory a directory that all nodes mount
 * @param etcd an etcd cluster
 */
public record FleetStoreConfig(
        @Nullable String directory, @Nullable EtcdConfig etcd) {
    private static final Key<String> DIRECTORY = Key.file("directory")
            .absent("another store")
            .about("a directory that all nodes mount, on a file system with atomic renames and hard links; either this"
                    + " or `etcd`");
    private static final Key<EtcdConfig> ETCD = Key.section("etcd", null, EtcdConfig.KEYS::read)
            .absent("another store")
            .about("an etcd cluster, version 3.4 or later");

    static final FleetStoreConfig NONE = ofDirectory("unnamed");

    public FleetStoreConfig {
        Expect.that(directory != null || etcd != null, "directory", "missing", "a directory, or etcd in its place");
        Expect.that(directory == null || etcd == null, "etcd", "together with directory", "one of the two");
        Expect.that(directory == null || !directory.isBlank(), "directory", String.valueOf(directory), "a directory");
    }

    static FleetStoreConfig read(Key.Values values) {
        values.exactlyOne("directory", "etcd");
        return new FleetStoreConfig(values.get(DIRECTORY), values.get(ETCD));
    }

    /** Creates a store in a directory. */
    public static FleetStoreConfig ofDirectory(String directory) {
        return new FleetStoreConfig(directory, null);
    }

    /** Creates a store in an etcd cluster. */
    public static FleetStoreConfig of(EtcdConfig etcd) {
        return new FleetStoreConfig(null, etcd);
    }
}
