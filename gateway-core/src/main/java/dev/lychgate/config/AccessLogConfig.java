package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * The access log.
 *
 * @param format what a line looks like; default JSON
 * @param file where it goes; null = standard output
 * @param queue records that may wait for the writer before more are dropped and counted; default 65536
 * @param headers header fields that go into it; default none
 * @param redact whose values stand in it as {@code ***}, as in all that is logged of requests
 * @param sample the share of what goes well that is written; what fails is written always; default all
 * @param hec the collector that gets it as well, or alone if there are no lines; null = none
 * @param roll how the file is rolled; null = not at all, so that another program can
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

    public static final AccessLogConfig DEFAULT = new AccessLogConfig(Format.JSON, null, 65_536);

    public AccessLogConfig {
        Expect.between(64, 1 << 24, "queue", queue);
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

    /** This log with its file rolled otherwise; null = not at all. */
    public AccessLogConfig withRoll(@Nullable RollConfig other) {
        return new AccessLogConfig(format, file, queue, headers, redact, sample, hec, other);
    }
}
