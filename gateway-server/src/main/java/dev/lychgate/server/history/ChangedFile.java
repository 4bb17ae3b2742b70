package dev.lychgate.server.history;

/**
 * A file that differs from the generation before.
 *
 * @param path relative to the directory of the configuration, with {@code filters:} in front of files of the filter directory
 * @param kind {@code added}, {@code changed} or {@code removed}
 * @param sha256 the digest of its content in hexadecimal digits; empty if it was removed
 */
public record ChangedFile(String path, String kind, String sha256) {}
