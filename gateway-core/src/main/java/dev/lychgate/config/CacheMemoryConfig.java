package dev.lychgate.config;

/**
 * Limits the memory and the number of stored responses. The limits apply to all routes together.
 *
 * @param memory the largest amount of memory
 * @param entries the largest number of responses
 */
public record CacheMemoryConfig(ByteSize memory, int entries) {
    private static final Key<ByteSize> MEMORY = Key.size("memory", "64MiB")
            .between("1MiB", "64GiB")
            .about("the largest amount of memory of stored responses, at most half of the "
                    + "[memory budget](buffers.md#unfinished-messages)");
    private static final Key<Integer> ENTRIES =
            Key.number("entries", 100_000).between(16, 10_000_000).about("the largest number of stored responses");

    static final Keys<CacheMemoryConfig> KEYS = Keys.of(CacheMemoryConfig::new, MEMORY, ENTRIES);

    public static final CacheMemoryConfig DEFAULT = KEYS.defaults();

    public CacheMemoryConfig {
        KEYS.check(memory, entries);
    }
}
