package dev.lychgate.server.history;

/**
 * A file that differs from the previous generation.
 *
 * @param path the path relative to the directory of the configuration; {@code filters:} precedes files of the
 *     filter directory
 * @param kind {@code added}, {@code changed} or {@code removed}
 * @param sha256 the digest of the content in hexadecimal digits; empty if the file was removed
 */
public record ChangedFile(String path, String kind, String sha256) {}
