package dev.lychgate.exchange.filtering;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * How the answer to a client is framed: by the method that the client has sent, whatever the origin was asked with, and by
 * what filters have left of status and body. What is {@link BodyFraming#NONE} afterwards has no body that may be sent.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-6.3">RFC 9112, 6.3 Message Body Length</a>
 */
public final class ResponseFraming {
    private ResponseFraming() {}

    /** Whether the client waits for a head alone. */
    public static boolean isToHead(@Nullable RequestHead request) {
        return request != null && request.receivedMethod().equals(HttpMethod.HEAD);
    }

    /** Makes of the answer to what the origin was asked one to what the client has sent: filters may change the method. */
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
            // The client waits for as much as is announced, and what was not asked for won't come.
            headers.remove(HttpHeaderNames.CONTENT_LENGTH);
            headers.remove(HttpHeaderNames.TRAILER);
            BodyHeaders.replaced(headers);
            answer.frame(BodyFraming.LENGTH, 0);
        }
    }

    /**
     * Makes the head say how the body goes on that filters have left.
     *
     * @param toHead whether it answers a HEAD
     * @param unseen whether the origin was asked for the head alone: what filters made of the body, they made of nothing
     */
    static void afterFilters(ResponseHead head, FilterContext context, boolean toHead, boolean unseen) {
        FilteredBody body = context.heldResponse();
        if (head.status() == 204 || head.status() == 205 || head.status() == 304) {
            empty(head, context, toHead);
        } else if (toHead) {
            headAlone(head, body, unseen);
        } else if (body != null && (body.isReplaced() || (body.isEnded() && body.isTransformed()))) {
            byte[] bytes = body.settle();
            body.replace(bytes);
            replaced(head, bytes.length, false);
        } else {
            if (head.framing() == BodyFraming.NONE) {
                // Of what was a 204 or 304 there is no body, whatever a filter has made of its status.
                frame(head, 0, false);
            }
            if (body != null && body.isChanged()) {
                head.frame(BodyFraming.CHUNKED, 0);
            }
        }
    }

    private static void empty(ResponseHead head, FilterContext context, boolean toHead) {
        FilteredBody body = context.heldResponse();
        boolean touched = body != null && (body.isReplaced() || body.isTransformed());
        boolean comes = head.framing() != BodyFraming.NONE;
        if (touched || comes) {
            context.responseBody().replace(new byte[0]);
        } else if (head.status() == 304) {
            // Its length, if it says one, speaks of the body that it spares the client (RFC 9110, 8.6).
            return;
        }
        replaced(head, 0, toHead);
    }

    private static void headAlone(ResponseHead head, @Nullable FilteredBody body, boolean unseen) {
        if (body != null && body.isReplaced() && !body.isTransformed() && !unseen) {
            replaced(head, body.bytes().length, true);
        } else if (body != null && (body.isReplaced() || body.isChanged())) {
            // Nobody knows how long the body of a GET would be.
            head.headers().remove(HttpHeaderNames.CONTENT_LENGTH);
            head.headers().remove(HttpHeaderNames.TRAILER);
        }
    }

    /** The trailers went with the body that was there before. */
    static void replaced(ResponseHead head, int length, boolean toHead) {
        frame(head, length, toHead);
        head.headers().remove(HttpHeaderNames.TRAILER);
    }

    /**
     * Frames a response of our own, whatever a filter wrote into its head. {@link BodyFraming#NONE} afterwards means that the
     * body is not to be sent.
     *
     * @param length of the body, in bytes
     * @param toHead whether it responds to a HEAD, which receives the length that a GET would have received
     */
    public static void frame(ResponseHead response, int length, boolean toHead) {
        HttpHeaders headers = response.headers();
        headers.remove(HttpHeaderNames.CONTENT_LENGTH);
        headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
        boolean neverBody = response.status() == 204 || response.status() == 304;
        // A 205 has no content, but ends by its framing (RFC 9110, 15.3.6; RFC 9112, 6.3).
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
}
