package dev.lychgate.codec;

import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Takes what a decoder reads from an origin, on the connection's event loop: any number of interim heads, a final head,
 * pieces of body, and the end; or, at any point, the news that the rest is not HTTP.
 */
public interface ResponseSink {
    /**
     * A head, interim (1xx) or final, free of hop-by-hop fields; its framing is set.
     *
     * @param persistent whether the origin offers to keep the connection after this answer
     */
    void onResponseHead(ResponseHead head, boolean persistent);

    /** A piece of the body; the sink owns {@code chunk} from here on. */
    void onResponseBody(ByteBuf chunk);

    /**
     * The end of the final answer.
     *
     * @param trailers the trailer section, empty if there was none
     * @param surplus whether bytes beyond the end have already arrived: the connection is out of step
     */
    void onResponseEnd(HttpHeaders trailers, boolean surplus);

    /** The bytes can't be read as a response. @param detail what was wrong, for the log */
    void onResponseMalformed(String detail);

    /** Bytes arrived although no answer is awaited; they have been thrown away. */
    void onUnsolicitedBytes();
}
