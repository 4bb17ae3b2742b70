package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * The access log.
 */
public record AccessLogConfig(
        Format format,
        @Nullable String file,
        int queue,
        LoggedHeaders headers,
        RedactConfig redact,
        SampleRate sample,
        @Nullable HecConfig hec,
        @Nullable RollConfig roll) {
    /** What a line of the access log looks like. */
    public enum Format {
        /** One JSON object per line. */
        JSON,
        /** The combined log format of httpd and nginx. */
        COMBINED,
        /** No lines. */
        OFF
    }

    private static final Key<Format> FORMAT =
            Key.choice("format", Format.JSON).about("what a record looks like; `off` = no lines");

    private static final Key<String> FILE = Key.text("file")
            .called("path")
            .absent("standard output")
            .about("where records go; relative to the working directory");
    private static final Key<Integer> QUEUE = Key.number("queue", 65_536)
            .unit("records")
            .between(64, 1 << 24)
            .about("records that may wait for the writer before more are dropped and counted");
    private static final Key<LoggedHeaders> HEADERS = Key.section("headers", LoggedHeaders.KEYS)
            .about("header fields that go into [JSON lines](access-log.md#header-fields)");
    private static final Key<RedactConfig> REDACT = Key.section("redact", RedactConfig.KEYS)
            .about("whose values are [masked](access-log.md#what-is-masked), in this log and in traces of filters");
    static final Key<SampleRate> SAMPLE = Key.typed("sample", Form.RATE, SampleRate.parse("100%"))
            .about("the share of what goes well that is [written](access-log.md#sampling); what fails is written"
                    + " always");
    private static final Key<HecConfig> HEC = Key.section("hec", null, HecConfig::read)
            .absent("none")
            .about("Splunk's [HTTP Event Collector](splunk.md), which gets the log besides, or alone where "
                    + "`format` is `off`");
    private static final Key<RollConfig> ROLL = Key.typed("roll", RollConfig.FORM, RollConfig.DEFAULT)
            .absent("as below")
            .about("how the file is [rolled](access-log.md#rolled-files), daily and when it is full; `off` = "
                    + "not at all, so that another program can");

    static final Keys<AccessLogConfig> KEYS =
            Keys.of(AccessLogConfig::new, FORMAT, FILE, QUEUE, HEADERS, REDACT, SAMPLE, HEC, ROLL);

    public static final AccessLogConfig DEFAULT = KEYS.defaults();

    public AccessLogConfig {
        QUEUE.check(queue);
        Expect.that(file == null || !file.isBlank(), "file", String.valueOf(file), "a path");
    }

    /** All exchanges, without header fields, the usual values redacted, no collector, and the file rolled as usual. */
    public AccessLogConfig(Format format, @Nullable String file, int queue) {
        this(format, file, queue, LoggedHeaders.NONE, RedactConfig.DEFAULT, SampleRate.ALL, null, RollConfig.DEFAULT);
    }

    /** Whether nobody gets anything of it. */
    public boolean isOff() {
        return format == Format.OFF && hec == null;
    }

    /** This log with these header fields. */
    public AccessLogConfig withHeaders(LoggedHeaders other) {
        return new AccessLogConfig(format, file, queue, other, redact, sample, hec, roll);
    }

    /** This log with other values redacted. */
    public AccessLogConfig withRedact(RedactConfig other) {
        return new AccessLogConfig(format, file, queue, headers, other, sample, hec, roll);
    }

    /** This log with another share written. */
    public AccessLogConfig withSample(SampleRate other) {
        return new AccessLogConfig(format, file, queue, headers, redact, other, hec, roll);
    }

    /** This log with a collector. */
    public AccessLogConfig withHec(@Nullable HecConfig other) {
        return new AccessLogConfig(format, file, queue, headers, redact, sample, other, roll);
    }
}
