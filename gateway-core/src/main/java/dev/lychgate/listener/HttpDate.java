package dev.lychgate.listener;

import io.netty.util.AsciiString;
import io.netty.util.concurrent.FastThreadLocal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The present as a Date field says it, written anew at most once per second and event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7">RFC 9110, 5.6.7 Date/Time Formats</a>
 */
final class HttpDate {
    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final long KEPT_FOR = TimeUnit.MILLISECONDS.toNanos(500);
    private static final FastThreadLocal<HttpDate> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected HttpDate initialValue() {
            return new HttpDate();
        }
    };

    private AsciiString text = AsciiString.EMPTY_STRING;
    private long madeAt;

    private HttpDate() {}

    /** The present. @param now the loop's clock, by which it is told whether the last text will still do */
    static AsciiString at(long now) {
        HttpDate date = OF_THREAD.get();
        if (date.text.isEmpty() || now - date.madeAt >= KEPT_FOR) {
            date.text = AsciiString.of(IMF_FIXDATE.format(Instant.now()));
            date.madeAt = now;
        }
        return date.text;
    }
}
