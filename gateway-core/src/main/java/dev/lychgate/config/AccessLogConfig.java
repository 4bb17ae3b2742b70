package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * The access log.
 *
 * @param format what a line looks like; default JSON
 * @param file where it goes, rolled daily and at 256 MiB; null = standard output
 * @param queue records that may wait for the writer before more are dropped and counted; default 65536
 */
public record AccessLogConfig(Format format, @Nullable String file, int queue) {
    /** What a line of the access log looks like. */
    public enum Format {
        /** One JSON object per line. */
        JSON,
        /** The combined log format of httpd and nginx. */
        COMBINED,
        /** No access log. */
        OFF
    }

    public static final AccessLogConfig DEFAULT = new AccessLogConfig(Format.JSON, null, 65_536);

    public AccessLogConfig {
        Expect.between(64, 1 << 24, "queue", queue);
        Expect.that(file == null || !file.isBlank(), "file", String.valueOf(file), "a path");
    }
}
