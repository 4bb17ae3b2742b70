package dev.lychgate.server.accesslog;

import dev.lychgate.http.Redaction;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The combined log format: {@code client - subject [time] "request line" status bytes "referer" "user agent"}. Existing
 * tools can parse this format, because it is the default format of nginx and a predefined format of httpd. The time is
 * the arrival time of the request.
 *
 * @see <a href="https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format">nginx: log_format</a>
 */
final class CombinedLines implements LineFormat {
    private final SecondText time;
    private final Redaction redaction;

    /** @param redaction selects the values to redact */
    CombinedLines(ZoneId zone, Redaction redaction) {
        this.redaction = redaction;
        this.time = new SecondText(DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss xx", Locale.ENGLISH)
                .withZone(zone));
    }

    @Override
    public void append(LineBuffer line, AccessRecord record) {
        line.append(record.client()).append(" - ");
        subject(line, record.subject());
        line.append(" [");
        line.append(time.of(record.beganAt())).append("] \"");
        AccessRecord.Request request = record.request();
        if (request == null) {
            line.append('-');
        } else {
            requestLine(line, request);
        }
        line.append("\" ").append(record.status()).append(' ').append(record.responseBytes());
        quoted(line, request == null ? null : request.referer(redaction));
        quoted(line, request == null ? null : request.userAgent(redaction));
    }

    /** Appends the subject of the sender without blanks, because a blank separates two items of the line. */
    private static void subject(LineBuffer line, @Nullable String subject) {
        String[] words = subject == null ? new String[] {"-"} : subject.split(" ", -1);
        for (int i = 0; i < words.length; i++) {
            if (i > 0) {
                line.append("\\x20");
            }
            Escapes.combined(line, words[i]);
        }
    }

    private void requestLine(LineBuffer line, AccessRecord.Request request) {
        Escapes.combined(line, request.method());
        line.append(' ');
        Escapes.combined(line, request.path());
        String query = redaction.query(request.query());
        if (query != null) {
            line.append('?');
            Escapes.combined(line, query);
        }
        line.append(' ').append(request.protocol());
    }

    private static void quoted(LineBuffer line, @Nullable String text) {
        line.append(" \"");
        Escapes.combined(line, text == null || text.isEmpty() ? "-" : text);
        line.append('"');
    }
}
