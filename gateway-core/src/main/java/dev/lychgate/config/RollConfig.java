package dev.lychgate.config;

import java.util.List;

/** The rolling of the access log. At midnight and at a maximum size, the file is renamed, and a new file is created. */
public record RollConfig(ByteSize size, int keep, ByteSize total, Compress compress) {
    /** The compression of rolled files. */
    public enum Compress {
        /** Uncompressed. */
        OFF,
        /** Compressed, with names that end in {@code .gz}. */
        GZIP
    }

    private static final Key<ByteSize> SIZE =
            Key.size("size", "256MiB").atLeast("1MiB").about("the size at which the file is rolled");

    private static final Key<Integer> KEEP = Key.number("keep", 0)
            .unit("days")
            .between(0, 3650)
            .about("the number of days for which rolled files are kept; `0` = rolled files are never deleted");
    private static final Key<ByteSize> TOTAL = Key.size("total", "0")
            .about("the largest total size of all rolled files; the oldest files are deleted first; at least `size`; "
                    + "`0` = no bound; needs `keep`");
    private static final Key<Compress> COMPRESS =
            Key.choice("compress", Compress.OFF).about("compresses rolled files");

    static final Keys<RollConfig> KEYS = Keys.of(RollConfig::new, SIZE, KEEP, TOTAL, COMPRESS);

    public static final RollConfig DEFAULT = KEYS.defaults();

    /** The form in the file: a section, or the word {@code off}. */
    static final Form<RollConfig> FORM = Form.section(RollConfig.KEYS).or(Form.words(List.of("off"), word -> null));

    public RollConfig {
        KEYS.check(size, keep, total, compress);
        Expect.that(
                total.bytes() == 0 || keep > 0, "total", total, "0, or a number of days in the key keep in addition");
        Expect.that(
                total.bytes() == 0 || total.bytes() >= size.bytes(),
                "total",
                total,
                "0, or at least the value of size, " + size);
    }
}
