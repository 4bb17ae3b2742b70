package dev.lychgate.config;

/**
 * The store of a fleet.
 *
 * @param directory a directory that all nodes mount
 */
public record FleetStoreConfig(String directory) {
    private static final Key<String> DIRECTORY = Key.typed("directory", Form.FILE, "unnamed")
            .required("a directory that all nodes mount")
            .about("a directory that all nodes mount, on a file system with atomic renames and hard links");

    static final Keys<FleetStoreConfig> KEYS = Keys.of(FleetStoreConfig::new, DIRECTORY);

    public FleetStoreConfig {
        KEYS.check(directory);
        Expect.that(!directory.isBlank(), "directory", directory, "a directory");
    }
}
