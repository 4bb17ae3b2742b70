package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * What a route changes before the request goes to its upstream.
 *
 * @param stripPrefix how many leading path segments are taken off; 0 = none
 * @param path a new path, with the {@code {names}} of the matched template and {@code {**}} for what a prefix left
 *     open; null = unchanged; not together with {@code stripPrefix}
 * @param setHost the Host field sent on: a fixed authority, or {@code origin} for the endpoint's own; null = as received
 * @param forwardRaw send the client's own path bytes instead of the normal form; not together with the others
 */
public record RewriteConfig(
        int stripPrefix, @Nullable String path, @Nullable String setHost, boolean forwardRaw) {
    /** Changes nothing. */
    public static final RewriteConfig NONE = new RewriteConfig(0, null, null, false);

    public RewriteConfig {
        Expect.between(0, 64, "strip-prefix", stripPrefix);
        Expect.that(path == null || stripPrefix == 0, "path", String.valueOf(path), "either path or strip-prefix");
        Expect.that(path == null || path.startsWith("/"), "path", String.valueOf(path), "a path that begins with /");
        Expect.that(
                !forwardRaw || (stripPrefix == 0 && path == null),
                "forward",
                "raw",
                "no rewrite of the path beside it");
        Expect.that(
                setHost == null || setHost.matches("[A-Za-z0-9._~-]+(:\\d{1,5})?|\\[[0-9A-Fa-f:.]+](:\\d{1,5})?"),
                "set-host",
                String.valueOf(setHost),
                "'origin', or an authority such as api.example.com:8080");
    }
}
