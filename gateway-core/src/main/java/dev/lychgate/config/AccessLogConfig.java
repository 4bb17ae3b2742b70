package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/** The settings of the access log. */
public record AccessLogConfig(
        Format format,
        @Nullable String file,
        int queue,
        LoggedHeaders headers,
        RedactConfig redact,
        SampleRate sample,
        @Nullable HecConfig hec,
        @Nullable RollConfig roll) {
    /** The format in which the access log is written. */
    public enum Format {
        /** One JSON object per line. */
        JSON,
        /** The combined log format of httpd and nginx. */
        COMBINED,
        /** Writes no lines. */
        OFF
    }

    private static final Key<Format> FORMAT =
            Key.choice("format", Format.JSON).about("the format of each record; `off` = no records are written");

    private static final Key<String> FILE = Key.text("file")
            .called("path")
            .absent("standard output")
            .about("the file that receives the records; a relative path starts at the working directory");
    private static final Key<Integer> QUEUE = Key.number("queue", 65_536)
            .unit("records")
            .between(64, 1 << 24)
            .about("the maximum number of records that may be queued for the writer; further records are dropped and "
                    + "counted");
    private static final Key<LoggedHeaders> HEADERS = Key.section("headers", LoggedHeaders.KEYS)
            .about("the header fields that [JSON lines](access-log.md#header-fields) contain");
    private static final Key<RedactConfig> REDACT = Key.section("redact", RedactConfig.KEYS)
            .about("the header fields and query parameters with [masked](access-log.md#what-is-masked) "
                    + "values, in this log and in traces of filters");
    static final Key<SampleRate> SAMPLE = Key.typed("sample", Form.RATE, SampleRate.parse("100%"))
            .about("the share of successful exchanges that is [written](access-log.md#sampling); failed "
                    + "exchanges are always written");
    private static final Key<HecConfig> HEC = Key.section("hec", null, HecConfig::read)
            .absent("none")
            .about("the [HTTP Event Collector](splunk.md) of Splunk that also receives the records; if `format` is "
                    + "`off`, only the collector receives them");
    private static final Key<RollConfig> ROLL = Key.typed("roll", RollConfig.FORM, RollConfig.DEFAULT)
            .absent("as below")
            .about("the [rolling](access-log.md#rolled-files) of the file, daily and at a maximum size; `off` = "
                    + "no rolling, so that another program can roll the file");

    static final Keys<AccessLogConfig> KEYS =
            Keys.of(AccessLogConfig::new, FORMAT, FILE, QUEUE, HEADERS, REDACT, SAMPLE, HEC, ROLL);

    public static final AccessLogConfig DEFAULT = KEYS.defaults();

    public AccessLogConfig {
        QUEUE.check(queue);
        Expect.that(file == null || !file.isBlank(), "file", String.valueOf(file), "a path");
    }

    /**
     * Creates settings that log all exchanges, but none of their header fields. There is no collector. Redaction and
     * rolling have their defaults.
     */
    public AccessLogConfig(Format format, @Nullable String file, int queue) {
        this(format, file, queue, LoggedHeaders.NONE, RedactConfig.DEFAULT, SampleRate.ALL, null, RollConfig.DEFAULT);
    }

    /** Returns whether the access log has no destination: neither a file, nor standard output, nor a collector. */
    public boolean isOff() {
        return format == Format.OFF && hec == null;
    }

    /**
     * Returns whether the log can contain records of events other than exchanges. This requires JSON lines or a
     * collector.
     */
    public boolean hasEvents() {
        return format == Format.JSON || hec != null;
    }

    /** Returns these settings with other logged header fields. */
    public AccessLogConfig withHeaders(LoggedHeaders other) {
        return new AccessLogConfig(format, file, queue, other, redact, sample, hec, roll);
    }

    /** Returns these settings with another redaction. */
    public AccessLogConfig withRedact(RedactConfig other) {
        return new AccessLogConfig(format, file, queue, headers, other, sample, hec, roll);
    }

    /** Returns these settings with another sample rate. */
    public AccessLogConfig withSample(SampleRate other) {
        return new AccessLogConfig(format, file, queue, headers, redact, other, hec, roll);
    }

    /** Returns these settings with a collector. */
    public AccessLogConfig withHec(@Nullable HecConfig other) {
        return new AccessLogConfig(format, file, queue, headers, redact, sample, other, roll);
    }
}
