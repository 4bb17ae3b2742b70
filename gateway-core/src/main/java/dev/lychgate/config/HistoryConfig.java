package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * The history of changes, which survives a restart.
 *
 * @param file the file that contains the newest entries; null = a file in the directory {@code .lychgate} next to the
 *     configuration file
 * @param size the size at which the file is rolled
 * @param keep the number of rolled files
 * @param generations the number of accepted generations whose files are kept; 0 = none
 * @param generationsSize the maximum total size of the files that are kept for generations
 * @param webhook the webhook that receives every entry; null = none
 * @param otlp the collector that receives every entry; null = none
 * @param accessLog whether every entry is also written to the destinations of the access log
 */
public record HistoryConfig(
        @Nullable String file,
        ByteSize size,
        int keep,
        int generations,
        ByteSize generationsSize,
        @Nullable WebhookConfig webhook,
        @Nullable HistoryOtlpConfig otlp,
        boolean accessLog) {
    private static final Key<String> FILE = Key.file("file")
            .absent("a file next to the configuration")
            .about("the file of the newest entries; by default `.lychgate/history-NAME.jsonl` next to the "
                    + "configuration file NAME; only the user of the process can read a created file");
    private static final Key<ByteSize> SIZE = Key.size("size", "4MiB")
            .between("64KiB", "64MiB")
            .about("the size at which the file is rolled: it is renamed, and a new file begins");
    private static final Key<Integer> KEEP = Key.number("keep", 8)
            .unit("files")
            .between(1, 1000)
            .about("the number of rolled files; the oldest are deleted");
    private static final Key<Integer> GENERATIONS = Key.number("generations", 20)
            .unit("generations")
            .between(0, 1000)
            .about("the number of accepted generations whose files are kept for `lychgate rollback --to`; `0` = none");
    private static final Key<ByteSize> GENERATIONS_SIZE = Key.size("generations-size", "256MiB")
            .atLeast("1MiB")
            .about("the maximum total size of the kept files; the oldest generations are deleted first");
    private static final Key<WebhookConfig> WEBHOOK = Key.section("webhook", null, () -> WebhookConfig.KEYS)
            .absent("no webhook")
            .about("the [receiver](history.md#webhook) of an HTTP request for each entry");

    private static final Key<HistoryOtlpConfig> OTLP = Key.section("otlp", null, () -> HistoryOtlpConfig.KEYS)
            .absent("no collector")
            .about("the [collector](history.md#otlp) that receives an event for each entry, by OTLP over HTTP in "
                    + "protobuf");
    private static final Key<Boolean> ACCESS_LOG = Key.flag("access-log", false)
            .about("whether each entry is also written to the [access log](history.md#access-log), as a JSON line and "
                    + "as an event for the Splunk collector");

    static final Keys<HistoryConfig> KEYS =
            Keys.of(HistoryConfig::new, FILE, SIZE, KEEP, GENERATIONS, GENERATIONS_SIZE, WEBHOOK, OTLP, ACCESS_LOG);

    /** The settings that an empty section {@code history} configures: all keys have their defaults. */
    public static final HistoryConfig DEFAULT = KEYS.defaults();

    public HistoryConfig {
        KEYS.check(file, size, keep, generations, generationsSize, webhook, otlp, accessLog);
        Expect.that(file == null || !file.isBlank(), "file", String.valueOf(file), "a path");
    }

    /** Returns these settings with another webhook; null = none. */
    public HistoryConfig withWebhook(@Nullable WebhookConfig other) {
        return Copy.of(this, "webhook", other);
    }

    /** Returns these settings with another OTLP collector; null = none. */
    public HistoryConfig withOtlp(@Nullable HistoryOtlpConfig other) {
        return Copy.of(this, "otlp", other);
    }
}
