package dev.lychgate.exchange.filtering;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * Determines the framing of the response to a client. The framing depends on the status and the body that filters have
 * produced, and on the method that the client sent. Filters may have changed the method that the origin received.
 * {@link BodyFraming#NONE} means that no body is sent.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-6.3">RFC 9112, 6.3 Message Body Length</a>
 */
public final class ResponseFraming {
    private ResponseFraming() {}

    /** Returns whether the client sent a HEAD request. */
    public static boolean isToHead(@Nullable RequestHead request) {
        return request != null && request.receivedMethod().equals(HttpMethod.HEAD);
    }

    /**
     * Adapts the origin's response to the method that the client sent. Filters may have changed the method for the
     * origin.
     */
    public static void ofOrigin(ResponseHead answer, RequestHead request) {
        boolean asHead = request.method().equals(HttpMethod.HEAD);
        boolean toHead = isToHead(request);
        if (asHead == toHead) {
            return;
        }
        HttpHeaders headers = answer.headers();
        if (toHead) {
            if (answer.framing() == BodyFraming.LENGTH) {
                headers.set(HttpHeaderNames.CONTENT_LENGTH, answer.contentLength());
            }
            answer.frame(BodyFraming.NONE, 0);
        } else if (answer.status() != 204 && answer.status() != 304) {
            // The origin sends no body after a HEAD request. The announced length is removed, because otherwise the
            // client would wait for the body.
            headers.remove(HttpHeaderNames.CONTENT_LENGTH);
            headers.remove(HttpHeaderNames.TRAILER);
            BodyHeaders.replaced(headers);
            answer.frame(BodyFraming.LENGTH, 0);
        }
    }

    /**
     * Frames the filtered body.
     *
     * @param toHead whether the client sent a HEAD request
     * @param unseen whether the origin received a HEAD request, so that filters have transformed an empty body
     */
    static void afterFilters(ResponseHead head, FilterContext context, boolean toHead, boolean unseen) {
        FilteredBody body = context.bodies().heldResponse();
        if (head.status() == 204 || head.status() == 205 || head.status() == 304) {
            empty(head, context, toHead);
        } else if (toHead) {
            headAlone(head, body, unseen);
        } else if (body != null && (body.isReplaced() || (body.isEnded() && body.isTransformed()))) {
            byte[] bytes = body.settle();
            boolean trailers = !body.trailers().isEmpty();
            frame(head, bytes.length, false);
            if (!trailers) {
                head.headers().remove(HttpHeaderNames.TRAILER);
            }
            if (trailers || body.isChanged()) {
                head.frame(BodyFraming.CHUNKED, 0);
            }
        } else {
            if (head.framing() == BodyFraming.NONE) {
                // A response of the origin with status 204 or 304 has no body, even if a filter has changed the status.
                frame(head, 0, false);
            }
            if (body != null && body.isChanged()) {
                head.frame(BodyFraming.CHUNKED, 0);
            }
        }
    }

    private static void empty(ResponseHead head, FilterContext context, boolean toHead) {
        FilteredBody body = context.bodies().heldResponse();
        boolean touched = body != null && (body.isReplaced() || body.isTransformed());
        boolean comes = head.framing() != BodyFraming.NONE;
        if (touched || comes) {
            context.bodies().response().replace(new byte[0]);
        } else if (head.status() == 304) {
            // The Content-Length of a 304 is kept, because it describes the representation that is not sent (RFC 9110,
            // 8.6).
            return;
        }
        replaced(head, 0, toHead);
    }

    private static void headAlone(ResponseHead head, @Nullable FilteredBody body, boolean unseen) {
        if (body != null && body.isReplaced() && !body.isTransformed() && !unseen) {
            replaced(head, body.bytes().length, true);
        } else if (body != null && (body.isReplaced() || body.isChanged())) {
            // The length of the response to a GET request is unknown.
            head.headers().remove(HttpHeaderNames.CONTENT_LENGTH);
            head.headers().remove(HttpHeaderNames.TRAILER);
        }
    }

    /** Frames a replaced body. Removes the field that announces the trailers of the original body. */
    static void replaced(ResponseHead head, int length, boolean toHead) {
        frame(head, length, toHead);
        head.headers().remove(HttpHeaderNames.TRAILER);
    }

    /**
     * Frames a response of the gateway. Replaces framing fields that a filter has set. {@link BodyFraming#NONE} means
     * that no body is sent.
     *
     * @param length the length of the body, in bytes
     * @param toHead whether the client sent a HEAD request; if true, the response announces the length that the
     *     response to a GET request would have
     */
    public static void frame(ResponseHead response, int length, boolean toHead) {
        HttpHeaders headers = response.headers();
        headers.remove(HttpHeaderNames.CONTENT_LENGTH);
        headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
        boolean neverBody = response.status() == 204 || response.status() == 304;
        // A 205 has no content, but unlike a 204 it needs framing (RFC 9110, 15.3.6; RFC 9112, 6.3).
        boolean reset = response.status() == 205;
        if (!toHead && !neverBody && !reset) {
            response.frame(BodyFraming.LENGTH, length);
            return;
        }
        response.frame(BodyFraming.NONE, 0);
        if (!neverBody) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, reset ? 0 : length);
        }
    }

    /**
     * Returns whether the gateway drops the content of an origin's response, because the response to the client must
     * not have content. If the result is true, the response to the client is complete after its head, and the origin's
     * connection is closed. Therefore, the client's next request does not wait for content that may never end.
     */
    public static boolean dropsContent(ResponseHead head) {
        return head.status() == 205
                && head.framing() != BodyFraming.NONE
                && (head.framing() != BodyFraming.LENGTH || head.contentLength() > 0);
    }
}
