package dev.lychgate.server.yaml;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.HecConfig;
import dev.lychgate.config.LogConfig;
import dev.lychgate.config.LoggedHeaders;
import dev.lychgate.config.RedactConfig;
import dev.lychgate.config.RollConfig;
import dev.lychgate.config.RouteAccessLog;
import dev.lychgate.config.SampleRate;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what is logged: {@code access-log}, at the top and of a route, and {@code log}. */
final class LogReader {
    private static final HecConfig NO_HEC = HecConfig.of(URI.create("https://127.0.0.1:8088"), "none");

    private final String file;

    /** @param file the configuration file */
    LogReader(String file) {
        this.file = file;
    }

    AccessLogConfig accessLog(Section s) {
        AccessLogConfig d = AccessLogConfig.DEFAULT;
        return s.build(
                () -> new AccessLogConfig(
                        s.get("format").choice(d.format(), AccessLogConfig.Format.values()),
                        s.get("file").textOrNull(),
                        s.number("queue", d.queue()),
                        s.get("headers").section(d.headers(), LogReader::headers),
                        s.get("redact").section(d.redact(), LogReader::redact),
                        sample(s),
                        s.get("hec").sectionOrNull(this::hec),
                        roll(s.get("roll"))),
                d);
    }

    /** {@code off} or a mapping; null for off. */
    private static @Nullable RollConfig roll(Element element) {
        if (element.present() && !element.isMapping()) {
            element.parsed("off", LogReader::onlyOff);
            return null;
        }
        RollConfig d = RollConfig.DEFAULT;
        return element.section(
                d,
                s -> s.build(
                        () -> new RollConfig(
                                s.size("size", d.size()),
                                s.number("keep", d.keep()),
                                s.size("total", d.total()),
                                s.get("compress").choice(d.compress(), RollConfig.Compress.values())),
                        d));
    }

    private static String onlyOff(String text) {
        if (text.equals("off")) {
            return text;
        }
        throw new IllegalArgumentException("off, or a mapping of size, keep, total and compress");
    }

    private static LoggedHeaders headers(Section s) {
        return s.build(() -> new LoggedHeaders(names(s, "request"), names(s, "response")), LoggedHeaders.NONE);
    }

    private static List<String> names(Section s, String key) {
        return s.get(key).list("names", name -> name.text("x"));
    }

    /** An empty list hides nothing; without one the defaults hold. */
    private static RedactConfig redact(Section s) {
        RedactConfig d = RedactConfig.DEFAULT;
        return s.build(() -> new RedactConfig(namesOr(s, "headers", d.headers()), namesOr(s, "query", d.query())), d);
    }

    private static List<String> namesOr(Section s, String key, List<String> usual) {
        List<String> names = names(s, key);
        return s.get(key).present() ? names : usual;
    }

    private static SampleRate sample(Section s) {
        return s.get("sample").measured(SampleRate.ALL, SampleRate::parse);
    }

    /** Of a route: {@code off} or a mapping; null if nothing stands there. */
    static @Nullable RouteAccessLog route(Element element) {
        if (element.isMapping()) {
            return element.section(s -> s.build(() -> new RouteAccessLog.Sampled(sample(s)), RouteAccessLog.OFF));
        }
        return element.present() ? element.parsed(RouteAccessLog.OFF, LogReader::off) : null;
    }

    private static RouteAccessLog off(String text) {
        if (text.equals("off")) {
            return RouteAccessLog.OFF;
        }
        throw new IllegalArgumentException("off, or a mapping of sample");
    }

    private HecConfig hec(Section s) {
        return s.build(
                () -> new HecConfig(
                        s.required("url", "https://HOST:8088").parsed(NO_HEC.url(), HecConfig::parseUrl),
                        token(s.required("token", "the collector's token, such as ${SPLUNK_TOKEN}")),
                        s.get("index").textOrNull(),
                        s.get("source").text(NO_HEC.source()),
                        s.get("sourcetype").text(NO_HEC.sourcetype()),
                        s.get("host").textOrNull(),
                        s.size("batch", NO_HEC.batch()),
                        s.duration("interval", NO_HEC.interval()),
                        s.size("queue", NO_HEC.queue()),
                        s.duration("timeout", NO_HEC.timeout()),
                        s.duration("patience", NO_HEC.patience()),
                        s.flag("gzip", NO_HEC.gzip()),
                        path(s.get("ca"))),
                NO_HEC);
    }

    private static String token(Element element) {
        String given = element.secretOrNull();
        return given == null ? NO_HEC.token() : given;
    }

    private @Nullable String path(Element element) {
        return element.present()
                ? element.parsed(
                        "none", text -> Path.of(file).resolveSibling(text).toString())
                : null;
    }

    static LogConfig log(Section s) {
        LogConfig d = LogConfig.DEFAULT;
        return s.build(
                () -> new LogConfig(
                        s.get("format").choice(d.format(), LogConfig.Format.values()),
                        s.get("level").present() ? level(s.get("level")) : null,
                        s.get("loggers").named("levels", LogReader::level)),
                d);
    }

    private static LogConfig.Level level(Element element) {
        return element.choice(LogConfig.Level.INFO, LogConfig.Level.values());
    }
}
