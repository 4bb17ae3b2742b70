package dev.lychgate.zuul.servlet;

import com.netflix.util.Pair;
import java.io.ByteArrayOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The status, the headers and the body that filters write to the servlet response. The gateway applies them to the
 * response of the exchange.
 */
@SuppressWarnings("InlineMeSuggester") // Deprecated methods of the servlet API
public final class ResponseView implements HttpServletResponse {
    private static final String CONTENT_TYPE = "Content-Type";
    /** The format of RFC 9110, 5.6.7. The formatter of the JDK omits the zero of single-digit days. */
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final RequestView request;
    private final List<Pair<String, String>> headers = new ArrayList<>();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private int status = SC_OK;
    private boolean changed;
    private boolean committed;
    private @Nullable String contentType;
    private @Nullable String encoding;
    private @Nullable PrintWriter writer;
    private Locale locale = Locale.ROOT;

    public ResponseView(RequestView request) {
        this.request = request;
    }

    /** Returns whether a filter has changed the response since the last call of {@link #unchanged}. */
    public boolean isChanged() {
        return changed;
    }

    public void unchanged() {
        changed = false;
    }

    /** Returns the bytes that filters have written. */
    public byte[] written() {
        flush();
        return written.toByteArray();
    }

    /** Returns the number of bytes that filters have written. */
    public int length() {
        flush();
        return written.size();
    }

    /** Returns the headers, with the media type. */
    public List<Pair<String, String>> headers() {
        List<Pair<String, String>> all = new ArrayList<>(headers);
        String type = getContentType();
        if (type != null) {
            all.add(new Pair<>(CONTENT_TYPE, type));
        }
        return all;
    }

    /** Returns the charset that filters have set; UTF-8 if they have set none. */
    public Charset charset() {
        return encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
    }

    private void flush() {
        if (writer != null) {
            writer.flush();
        }
    }

    // ---- status

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void setStatus(int code) {
        status = code;
        changed = true;
    }

    @Deprecated
    @Override
    public void setStatus(int code, @Nullable String message) {
        setStatus(code);
    }

    @Override
    public void sendError(int code, @Nullable String message) {
        resetBuffer();
        setStatus(code);
        if (message != null) {
            setContentType("text/plain;charset=utf-8");
            written.writeBytes(message.getBytes(StandardCharsets.UTF_8));
        }
        committed = true;
    }

    @Override
    public void sendError(int code) {
        sendError(code, null);
    }

    @Override
    public void sendRedirect(String location) {
        resetBuffer();
        setStatus(SC_FOUND);
        setHeader(
                "Location",
                URI.create(request.getRequestURL().toString()).resolve(location).toString());
        committed = true;
    }

    // ---- headers

    @Override
    public boolean containsHeader(String name) {
        return getHeader(name) != null;
    }

    @Override
    public @Nullable String getHeader(String name) {
        return headers().stream()
                .filter(each -> each.first().equalsIgnoreCase(name))
                .map(Pair::second)
                .findFirst()
                .orElse(null);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return headers().stream()
                .filter(each -> each.first().equalsIgnoreCase(name))
                .map(Pair::second)
                .toList();
    }

    @Override
    public Collection<String> getHeaderNames() {
        Set<String> names = new LinkedHashSet<>();
        headers().forEach(each -> names.add(each.first()));
        return names;
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
            return;
        }
        headers.removeIf(each -> each.first().equalsIgnoreCase(name));
        if (value != null) {
            headers.add(new Pair<>(name, value));
        }
        changed = true;
    }

    @Override
    public void addHeader(String name, String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
            return;
        }
        headers.add(new Pair<>(name, value));
        changed = true;
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public void setDateHeader(String name, long date) {
        setHeader(name, date(date));
    }

    @Override
    public void addDateHeader(String name, long date) {
        addHeader(name, date(date));
    }

    private static String date(long millis) {
        return DATE.format(Instant.ofEpochMilli(millis));
    }

    @Override
    public void addCookie(Cookie cookie) {
        addHeader("Set-Cookie", SetCookieText.of(cookie));
    }

    // ---- body

    @Override
    public @Nullable String getContentType() {
        String type = contentType;
        return type == null || encoding == null || RequestFields.charset(type) != null
                ? type
                : type + ";charset=" + encoding;
    }

    @Override
    public void setContentType(@Nullable String type) {
        contentType = type;
        String charset = RequestFields.charset(type);
        encoding = charset == null ? encoding : charset;
        changed = true;
    }

    @Override
    public String getCharacterEncoding() {
        return encoding == null ? "ISO-8859-1" : encoding;
    }

    @Override
    public void setCharacterEncoding(String charset) {
        encoding = charset;
    }

    /** Has no effect: the gateway determines the length. */
    @Override
    public void setContentLength(int length) {}

    /** Has no effect: the gateway determines the length. */
    @Override
    public void setContentLengthLong(long length) {}

    @Override
    public ServletOutputStream getOutputStream() {
        return new ServletOutputStream() {
            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new UnsupportedOperationException("filters write bodies synchronously");
            }

            @Override
            public void write(int b) {
                written.write(b);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                written.write(bytes, offset, length);
            }
        };
    }

    @Override
    public PrintWriter getWriter() {
        PrintWriter open = writer;
        if (open == null) {
            open = new PrintWriter(new OutputStreamWriter(written, charset()));
            writer = open;
        }
        return open;
    }

    @Override
    public void flushBuffer() {
        flush();
        committed = true;
    }

    @Override
    public boolean isCommitted() {
        return committed;
    }

    @Override
    public void resetBuffer() {
        flush();
        written.reset();
    }

    @Override
    public void reset() {
        resetBuffer();
        headers.clear();
        contentType = null;
        encoding = null;
        status = SC_OK;
        committed = false;
    }

    @Override
    public int getBufferSize() {
        return written.size();
    }

    /** Has no effect: the buffer grows with the body. */
    @Override
    public void setBufferSize(int size) {}

    // ---- others

    @Override
    public Locale getLocale() {
        return locale;
    }

    @Override
    public void setLocale(Locale value) {
        locale = value;
    }

    @Override
    public String encodeURL(String url) {
        return url;
    }

    @Override
    public String encodeRedirectURL(String url) {
        return url;
    }

    @Deprecated
    @Override
    public String encodeUrl(String url) {
        return url;
    }

    @Deprecated
    @Override
    public String encodeRedirectUrl(String url) {
        return url;
    }
}
