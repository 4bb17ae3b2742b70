package dev.lychgate.codec;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads plain answers of one connection: final ones, whose length is told or that have no body at all. */
final class FlatResponses extends FlatReader {
    private boolean toHead;

    /** What comes next answers a request. @param answerToHead whether that is a HEAD */
    void expect(boolean answerToHead) {
        toHead = answerToHead;
    }

    @Override
    @Nullable
    HttpMessage message(byte[] head, HeadIndex index) {
        int status = (head[9] - '0') * 100 + (head[10] - '0') * 10 + head[11] - '0';
        if (!isHttp11(head, 0) || status < 200 || status > 599 || status == 205 || hasBlanksAround(head, index)) {
            return null;
        }
        FlatHeaders fields = fields(head, index);
        if (fields == null) {
            return null;
        }
        boolean bodyless = toHead || status == 204 || status == 304;
        if (!bodyless && !body()) {
            return null;
        }
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, status(status, head, index), fields);
    }

    private static int reason(HeadIndex index) {
        return index.secondSpace() > 0 ? index.secondSpace() + 1 : index.endOfStartLine();
    }

    /** Whether the reason begins or ends with a blank, which Netty takes off. */
    private static boolean hasBlanksAround(byte[] head, HeadIndex index) {
        int from = reason(index);
        int end = index.endOfStartLine();
        return from < end && (isBlank(head[from]) || isBlank(head[end - 1]));
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static HttpResponseStatus status(int code, byte[] head, HeadIndex index) {
        int from = reason(index);
        int length = index.endOfStartLine() - from;
        HttpResponseStatus usual = HttpResponseStatus.valueOf(code);
        String phrase = usual.reasonPhrase();
        if (phrase.length() == length) {
            int i = 0;
            while (i < length && phrase.charAt(i) == head[from + i]) {
                i++;
            }
            if (i == length) {
                return usual;
            }
        }
        return new HttpResponseStatus(code, new String(head, from, length, StandardCharsets.ISO_8859_1));
    }
}
