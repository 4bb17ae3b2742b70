package dev.lychgate.codec;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.HopByHopHeaders;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link ResponseHead} of Netty's response, or says why the origin can't be understood.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-6.3">RFC 9112, 6.3 Message Body Length</a>
 */
final class ResponseHeadReader {
    private String fault = "";

    /** Why {@link #read} returned null. */
    String fault() {
        return fault;
    }

    /**
     * The head, or null: {@link #fault()} then says why.
     *
     * @param toHead whether the request was a HEAD
     * @param offer what it asked for beyond HTTP; null if nothing
     */
    @Nullable
    ResponseHead read(HttpResponse response, boolean toHead, @Nullable WebSocketOffer offer) {
        if (response.decoderResult().isFailure()) {
            return refuse("the response head is not valid HTTP");
        }
        HttpVersion version = response.protocolVersion();
        int status = response.status().code();
        if (version.majorVersion() != 1 || status < 100 || status > 599) {
            return refuse("the status line has version " + version.majorVersion() + " or a status outside 100 to 599");
        }
        HttpHeaders headers = response.headers();
        ResponseHead head = new ResponseHead(status, response.status().reasonPhrase(), headers);
        if (!frame(head, headers, toHead)) {
            return null;
        }
        String wrong = status == 101 && offer != null ? offer.fault(response) : null;
        if (wrong != null) {
            return refuse(wrong);
        }
        HopByHopHeaders.strip(headers);
        if (status == 101 && offer != null) {
            headers.remove(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT);
            head.frame(BodyFraming.TUNNEL, 0);
        }
        return head;
    }

    private boolean frame(ResponseHead head, HttpHeaders headers, boolean toHead) {
        int status = head.status();
        String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        if (status < 200 || status == 204) {
            // These have no body and must not carry a length (RFC 9110, 8.6).
            headers.remove(HttpHeaderNames.CONTENT_LENGTH);
            return true;
        }
        if (toHead || status == 304) {
            // The length, if there is one, speaks of the body that a GET would have got: it stays a field.
            return true;
        }
        String coding = headers.get(HttpHeaderNames.TRANSFER_ENCODING);
        if (coding != null) {
            if (!coding.equalsIgnoreCase("chunked")
                    || headers.getAll(HttpHeaderNames.TRANSFER_ENCODING).size() > 1) {
                fault = "a transfer coding other than chunked";
                return false;
            }
            head.frame(BodyFraming.CHUNKED, 0);
        } else if (length != null) {
            head.frame(BodyFraming.LENGTH, Long.parseLong(length));
            headers.remove(HttpHeaderNames.CONTENT_LENGTH);
        } else {
            head.frame(BodyFraming.UNTIL_CLOSE, 0);
        }
        return true;
    }

    private @Nullable ResponseHead refuse(String detail) {
        fault = detail;
        return null;
    }

    /** Whether the origin offers to keep the connection; call before hop-by-hop fields are stripped. */
    static boolean isPersistent(HttpResponse response) {
        boolean http10 = response.protocolVersion().minorVersion() == 0;
        return ConnectionOptions.persistent(http10, response.headers().getAll(HttpHeaderNames.CONNECTION));
    }
}
