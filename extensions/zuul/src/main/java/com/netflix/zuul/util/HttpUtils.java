package com.netflix.zuul.util;

import com.netflix.zuul.message.Headers;
import com.netflix.zuul.message.ZuulMessage;
import com.netflix.zuul.message.http.HttpHeaderNames;
import com.netflix.zuul.message.http.HttpRequestInfo;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads headers of messages of Zuul 2. */
public class HttpUtils {
    private HttpUtils() {}

    /**
     * Returns the client's address: the first address in X-Forwarded-For, or the address of the connection if the field
     * is missing.
     */
    public static String getClientIP(HttpRequestInfo request) {
        String forwarded = request.getHeaders().getFirst(HttpHeaderNames.X_FORWARDED_FOR);
        String client = forwarded == null ? null : extractClientIpFromXForwardedFor(forwarded);
        return client == null ? request.getClientIp() : client;
    }

    /** Returns the first address in the value of X-Forwarded-For; null if there is none. */
    public static @Nullable String extractClientIpFromXForwardedFor(@Nullable String header) {
        return HTTPRequestUtils.getInstance().extractClientIpFromXForwardedFor(header);
    }

    public static boolean isGzipped(Headers headers) {
        String coding = headers.getFirst(HttpHeaderNames.CONTENT_ENCODING);
        return coding != null && isGzipped(coding);
    }

    public static boolean isGzipped(String contentEncoding) {
        return contentEncoding.contains("gzip");
    }

    /** Returns whether Content-Encoding names a compression. */
    public static boolean isCompressed(Headers headers) {
        String coding = headers.getFirst(HttpHeaderNames.CONTENT_ENCODING);
        return coding != null && isCompressed(coding);
    }

    public static boolean isCompressed(String contentEncoding) {
        String coding = contentEncoding.toLowerCase(Locale.ROOT);
        return coding.contains("gzip")
                || coding.contains("deflate")
                || coding.contains("compress")
                || coding.contains("br");
    }

    public static boolean acceptsGzip(Headers headers) {
        String accepted = headers.getFirst(HttpHeaderNames.ACCEPT_ENCODING);
        return accepted != null && isGzipped(accepted);
    }

    /** Returns a value without the characters that would end a header. */
    public static String stripMaliciousHeaderChars(String value) {
        return value.replace("\r", "").replace("\n", "");
    }

    public static boolean hasNonZeroContentLengthHeader(ZuulMessage message) {
        Integer length = getContentLengthIfPresent(message);
        return length != null && length != 0;
    }

    /** Returns the value of Content-Length; null if it is absent or malformed. */
    public static @Nullable Integer getContentLengthIfPresent(ZuulMessage message) {
        String value = message.getHeaders().getFirst(HttpHeaderNames.CONTENT_LENGTH);
        try {
            return value == null ? null : Integer.valueOf(value.trim());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the length of the body; null if it is unknown. */
    public static @Nullable Integer getBodySizeIfKnown(ZuulMessage message) {
        Integer declared = getContentLengthIfPresent(message);
        return declared != null
                ? declared
                : message.hasCompleteBody() ? Integer.valueOf(message.getBodyLength()) : null;
    }

    public static boolean hasChunkedTransferEncodingHeader(ZuulMessage message) {
        return "chunked".equalsIgnoreCase(message.getHeaders().getFirst(HttpHeaderNames.TRANSFER_ENCODING));
    }
}
