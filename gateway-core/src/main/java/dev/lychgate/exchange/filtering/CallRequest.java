package dev.lychgate.exchange.filtering;

import dev.lychgate.http.RequestHead;
import dev.lychgate.upstream.Upstream;

/**
 * The request of a call-out. Each request is sent once.
 *
 * @param upstream the upstream that receives the request
 * @param head the framed head without the header fields that the gateway adds
 * @param body the whole body, which must not be changed
 * @param timeout the maximum time until the last byte of the response, in nanoseconds
 * @param maxBody the maximum length of the response body, in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CallRequest(Upstream upstream, RequestHead head, byte[] body, long timeout, int maxBody) {}
