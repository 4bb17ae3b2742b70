package dev.lychgate.exchange.filtering;

import dev.lychgate.http.RequestHead;
import dev.lychgate.upstream.Upstream;

/**
 * The request of a call-out, for one sending.
 *
 * @param head the head, framed; without the fields that the gateway adds
 * @param body the whole body; must not be changed
 * @param timeout longest time until the last byte of the response, in nanoseconds
 * @param maxBody longest body of the response, in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CallRequest(Upstream upstream, RequestHead head, byte[] body, long timeout, int maxBody) {}
