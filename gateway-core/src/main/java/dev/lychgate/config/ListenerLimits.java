package dev.lychgate.config;

/**
 * What one listener takes from its clients.
 *
 * @param connections open client connections, per process; beyond it no more are accepted until one closes; default
 *     20000
 * @param startLine longest request line; beyond it 414; default 16KiB
 * @param headerCount most header fields, and most trailer fields; beyond it 431; default 128
 * @param headerBytes largest header section; beyond it 431; default 64KiB
 * @param body longest request body; beyond it 413; 0 = no limit; default 0
 */
public record ListenerLimits(
        int connections, ByteSize startLine, int headerCount, ByteSize headerBytes, ByteSize body) {
    public static final ListenerLimits DEFAULT =
            new ListenerLimits(20_000, ByteSize.ofKiB(16), 128, ByteSize.ofKiB(64), new ByteSize(0));

    public ListenerLimits {
        Expect.that(connections >= 1, "connections", connections, ">= 1");
        Expect.that(startLine.bytes() >= 256 && startLine.bytes() <= 1 << 20, "start-line", startLine, "256B to 1MiB");
        Expect.between(8, 10_000, "header-count", headerCount);
        Expect.that(
                headerBytes.bytes() >= 1024 && headerBytes.bytes() <= 8 << 20,
                "header-bytes",
                headerBytes,
                "1KiB to 8MiB");
    }
}
