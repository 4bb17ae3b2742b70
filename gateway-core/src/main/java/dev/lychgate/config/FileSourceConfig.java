package dev.lychgate.config;

/**
 * A source of endpoints in files.
 *
 * @param directory the directory with one file for each service
 */
public record FileSourceConfig(String directory) {
    private static final Key<String> DIRECTORY = Key.typed("directory", Form.FILE, "unnamed")
            .required("a directory")
            .about("the directory that contains one file for each service: `NAME.json` contains the endpoints of the "
                    + "service `NAME`");

    static final Keys<FileSourceConfig> KEYS = Keys.of(FileSourceConfig::new, DIRECTORY);

    public FileSourceConfig {
        KEYS.check(directory);
        Expect.that(!directory.isBlank(), "directory", directory, "a directory");
    }
}
