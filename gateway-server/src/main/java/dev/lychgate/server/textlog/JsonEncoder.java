package dev.lychgate.server.textlog;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.filter.FilterLog;
import dev.lychgate.filter.LogMark;
import dev.lychgate.server.json.JsonText;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** The application log as one JSON object per line, in ASCII, for those who ship it: a stack trace is a text in its line. */
public final class JsonEncoder extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final byte[] NOTHING = {};

    @Override
    public byte[] encode(ILoggingEvent event) {
        return JsonText.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("time", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
            json.writeStringField("level", event.getLevel().toString());
            text(json, "logger", event.getLoggerName());
            text(json, "thread", event.getThreadName());
            text(json, "message", event.getFormattedMessage());
            LogMark said = EventMark.said(event);
            LogMark mark = said == null ? EventMark.ofThread() : said;
            if (mark != null) {
                text(json, "request_id", mark.requestId());
                text(json, "route", mark.route());
            }
            fields(json, event.getKeyValuePairs());
            IThrowableProxy thrown = event.getThrowableProxy();
            if (thrown != null) {
                text(json, "exception", thrown.getClassName());
                text(json, "stack_trace", ThrowableProxyUtil.asString(thrown));
            }
            json.writeEndObject();
        });
    }

    /** The other pairs of a line, by authors of filters for example; of a key that occurs twice the last. */
    private static void fields(JsonGenerator json, @Nullable List<KeyValuePair> pairs) throws IOException {
        Map<String, String> others = new LinkedHashMap<>();
        for (KeyValuePair pair : pairs == null ? List.<KeyValuePair>of() : pairs) {
            if (!pair.key.equals(FilterLog.REQUEST_ID) && !pair.key.equals(FilterLog.ROUTE)) {
                others.put(pair.key, String.valueOf(pair.value));
            }
        }
        if (!others.isEmpty()) {
            json.writeObjectFieldStart("fields");
            for (Map.Entry<String, String> other : others.entrySet()) {
                json.writeStringField(other.getKey(), other.getValue());
            }
            json.writeEndObject();
        }
    }

    private static void text(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeStringField(name, value);
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
