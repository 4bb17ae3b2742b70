package dev.lychgate.config;

/**
 * How the file of the access log is rolled, at midnight and when it is full: the file is renamed, and a new one begun.
 *
 * @param size how long a file may become; default 256MiB
 * @param keep for how many days rolled files are kept; default 0 = for good
 * @param total how long all rolled files may be together; the oldest are deleted first; default 0 = no bound
 * @param compress what is done with a file that has been rolled; default nothing
 */
public record RollConfig(ByteSize size, int keep, ByteSize total, Compress compress) {
    /** How rolled files are kept. */
    public enum Compress {
        /** As they are. */
        OFF,
        /** Compressed, with names that end in {@code .gz}. */
        GZIP
    }

    public static final RollConfig DEFAULT = new RollConfig(ByteSize.ofMiB(256), 0, new ByteSize(0), Compress.OFF);

    public RollConfig {
        Expect.that(size.bytes() >= 1 << 20, "size", size, ">= 1MiB");
        Expect.between(0, 3650, "keep", keep);
        Expect.that(total.bytes() == 0 || keep > 0, "total", total, "0, or a number of days as keep beside it");
        Expect.that(
                total.bytes() == 0 || total.bytes() >= size.bytes(),
                "total",
                total,
                "0, or at least size, which is " + size);
    }
}
