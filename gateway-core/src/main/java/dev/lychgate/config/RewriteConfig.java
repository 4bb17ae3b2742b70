package dev.lychgate.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes that a route makes to a request before the request is sent to the upstream. */
public record RewriteConfig(
        int stripPrefix, @Nullable String path, @Nullable String setHost, boolean forwardRaw)
        implements WrittenConfig.Section {
    private static final Key<Integer> STRIP_PREFIX = Key.number("strip-prefix", 0)
            .unit("segments")
            .between(0, 64)
            .about("the number of leading path segments that are removed; not together with `path`");

    private static final Key<String> PATH = Key.text("path")
            .absent("unchanged")
            .about("the new path; `{name}` is replaced by the matching segment of the template `match.path`, and "
                    + "`{**}` by the remainder after a prefix");
    private static final Key<String> SET_HOST = Key.text("set-host")
            .absent("as received")
            .about("the Host field that is sent to the origin: an authority, or `origin` for the authority of the "
                    + "endpoint");

    /** The default: no changes to the request. */
    public static final RewriteConfig NONE = read(Key.DEFAULTS);

    private static final Key<RewriteConfig> REWRITE = Key.section("rewrite", NONE, RewriteConfig::read)
            .absent("nothing")
            .about("the changes to the request before it is sent to the upstream");
    private static final Key<Boolean> FORWARD = Key.typed(
                    "forward", Form.words(List.of("normal", "raw"), "raw"::equals), false)
            .absent("`normal`")
            .about("`normal` sends the normalized path, which the routes matched; `raw` sends the original bytes of "
                    + "the client; `raw` is not permitted together with a rewrite of the path");
    private static final Key<Boolean> FORWARDING = Key.section("path", false, path -> path.get(FORWARD))
            .absent("-")
            .about("the form in which the path is sent to the upstream");

    public RewriteConfig {
        STRIP_PREFIX.check(stripPrefix);
        Expect.that(path == null || stripPrefix == 0, "path", String.valueOf(path), "either path or strip-prefix");
        Expect.that(path == null || path.startsWith("/"), "path", String.valueOf(path), "a path that begins with /");
        Expect.that(
                !forwardRaw || (stripPrefix == 0 && path == null),
                "forward",
                "raw",
                "normal, or raw without a rewrite of the path");
        Expect.that(
                setHost == null || setHost.matches("[A-Za-z0-9._~-]+(:\\d{1,5})?|\\[[0-9A-Fa-f:.]+](:\\d{1,5})?"),
                "set-host",
                String.valueOf(setHost),
                "'origin', or an authority such as api.example.com:8080");
    }

    @Override
    public void complete(Map<String, @Nullable Object> section) {
        Object rewrite = new LinkedHashMap<>(section);
        section.clear();
        section.put(
                FORWARDING.name(), Map.of(FORWARD.name(), FORWARD.form().print().apply(forwardRaw)));
        section.put(REWRITE.name(), rewrite);
    }

    /** Reads the two sections of a route that change the request: {@code path} and {@code rewrite}. */
    static RewriteConfig ofRoute(Key.Values route) {
        boolean raw = route.get(FORWARDING);
        RewriteConfig rewrite = route.get(REWRITE);
        if (raw && (rewrite.stripPrefix != 0 || rewrite.path != null)) {
            throw new ConfigException("path.forward", "raw", "normal, because rewrite changes the path");
        }
        return new RewriteConfig(rewrite.stripPrefix, rewrite.path, rewrite.setHost, raw);
    }

    static RewriteConfig read(Key.Values values) {
        return new RewriteConfig(values.get(STRIP_PREFIX), values.get(PATH), values.get(SET_HOST), false);
    }
}
