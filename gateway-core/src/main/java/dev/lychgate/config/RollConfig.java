package dev.lychgate.config;

import java.util.List;

/**
 * How the file of the access log is rolled, at midnight and when it is full: the file is renamed, and a new one begun.
 */
public record RollConfig(ByteSize size, int keep, ByteSize total, Compress compress) {
    /** How rolled files are kept. */
    public enum Compress {
        /** As they are. */
        OFF,
        /** Compressed, with names that end in {@code .gz}. */
        GZIP
    }

    private static final Key<ByteSize> SIZE =
            Key.size("size", "256MiB").atLeast("1MiB").about("how long the file may become");

    private static final Key<Integer> KEEP = Key.number("keep", 0)
            .unit("days")
            .between(0, 3650)
            .about("for how many days rolled files are kept; `0` = for good");
    private static final Key<ByteSize> TOTAL = Key.size("total", "0")
            .about("how long all rolled files may be together; the oldest are deleted first; not less than "
                    + "`size`; `0` = no bound; needs `keep`");
    private static final Key<Compress> COMPRESS =
            Key.choice("compress", Compress.OFF).about("whether rolled files are compressed");

    static final Keys<RollConfig> KEYS = Keys.of(RollConfig::new, SIZE, KEEP, TOTAL, COMPRESS);

    public static final RollConfig DEFAULT = KEYS.defaults();

    /** A section, or {@code off}. */
    static final Form<RollConfig> FORM = Form.section(RollConfig.KEYS).or(Form.words(List.of("off"), word -> null));

    public RollConfig {
        KEYS.check(size, keep, total, compress);
        Expect.that(total.bytes() == 0 || keep > 0, "total", total, "0, or a number of days as keep beside it");
        Expect.that(
                total.bytes() == 0 || total.bytes() >= size.bytes(),
                "total",
                total,
                "0, or at least size, which is " + size);
    }
}
