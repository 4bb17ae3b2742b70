package dev.lychgate.server.accesslog;

import io.netty.util.NetUtil;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The combined log format, as nginx writes it by default and httpd under that name, so that the tools that read it read
 * ours: {@code client - - [time] "request line" status bytes "referer" "user agent"}. The time is that of the request.
 *
 * @see <a href="https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format">nginx: log_format</a>
 */
final class CombinedLines implements LineFormat {
    private final DateTimeFormatter time;

    CombinedLines(ZoneId zone) {
        this.time = DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss xx", Locale.ENGLISH)
                .withZone(zone);
    }

    @Override
    public void append(StringBuilder line, AccessRecord record) {
        line.append(NetUtil.toAddressString(record.client())).append(" - - [");
        time.formatTo(Instant.ofEpochMilli(record.beganAt()), line);
        line.append("] \"");
        AccessRecord.Request request = record.request();
        if (request == null) {
            line.append('-');
        } else {
            requestLine(line, request);
        }
        line.append("\" ").append(record.status()).append(' ').append(record.responseBytes());
        quoted(line, request == null ? null : request.referer());
        quoted(line, request == null ? null : request.userAgent());
    }

    private static void requestLine(StringBuilder line, AccessRecord.Request request) {
        Escapes.combined(line, request.method());
        line.append(' ');
        Escapes.combined(line, request.path());
        if (request.query() != null) {
            line.append('?');
            Escapes.combined(line, request.query());
        }
        line.append(' ').append(request.protocol());
    }

    private static void quoted(StringBuilder line, @Nullable String text) {
        line.append(" \"");
        Escapes.combined(line, text == null || text.isEmpty() ? "-" : text);
        line.append('"');
    }
}
