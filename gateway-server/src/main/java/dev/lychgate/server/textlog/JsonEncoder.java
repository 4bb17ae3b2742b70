package dev.lychgate.server.textlog;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.lychgate.chain.LogMark;
import dev.lychgate.config.KnownSecrets;
import dev.lychgate.filter.FilterLog;
import dev.lychgate.http.JsonText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** Encodes the application log as JSON lines in ASCII, for log shippers. A stack trace is a string within its line. */
public final class JsonEncoder extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final byte[] NOTHING = {};

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(256).append("{\"time\":\"");
        TIME.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), line);
        line.append('"');
        text(line, "level", event.getLevel().toString());
        text(line, "logger", event.getLoggerName());
        text(line, "thread", event.getThreadName());
        text(line, "message", event.getFormattedMessage());
        LogMark said = EventMark.said(event);
        LogMark mark = said == null ? EventMark.ofThread() : said;
        if (mark != null) {
            text(line, "request_id", mark.requestId());
            text(line, "route", mark.route());
        }
        fields(line, event.getKeyValuePairs());
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            text(line, "exception", thrown.getClassName());
            text(line, "stack_trace", ThrowableProxyUtil.asString(thrown));
        }
        return line.append("}\n").toString().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Appends the key-value pairs of an event, which filters may have added. If several pairs have the same key, the
     * last of these pairs is used.
     */
    private static void fields(StringBuilder line, @Nullable List<KeyValuePair> pairs) {
        Map<String, String> others = new LinkedHashMap<>();
        for (KeyValuePair pair : pairs == null ? List.<KeyValuePair>of() : pairs) {
            if (!pair.key.equals(FilterLog.REQUEST_ID) && !pair.key.equals(FilterLog.ROUTE)) {
                others.put(pair.key, String.valueOf(pair.value));
            }
        }
        if (!others.isEmpty()) {
            line.append(",\"fields\":{");
            int first = line.length();
            others.forEach((key, value) -> text(line, key, value));
            line.deleteCharAt(first).append('}');
        }
    }

    private static void text(StringBuilder line, String name, @Nullable String value) {
        if (value != null) {
            line.append(",\"")
                    .append(JsonText.escape(name))
                    .append("\":\"")
                    .append(JsonText.escape(KnownSecrets.OF_PROCESS.hide(value)))
                    .append('"');
        }
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
