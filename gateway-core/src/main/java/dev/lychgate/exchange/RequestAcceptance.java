package dev.lychgate.exchange;

import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.generation.RequestCopies;
import dev.lychgate.generation.Split;
import dev.lychgate.generation.Traffic;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.tls.TlsSession;
import dev.lychgate.tracing.Tracing;
import java.net.InetSocketAddress;

/** The acceptance of a request head, before the first step of the request. */
final class RequestAcceptance {
    private RequestAcceptance() {}

    /**
     * Accepts a request head: removes header fields that only a trusted proxy may set, chooses the generation, and
     * begins the trace. The exchange, its attempts and its call-outs keep the chosen generation.
     */
    static void accept(RequestHead head, ExchangeParts exchange, Loop loop) {
        ExchangeState state = exchange.state;
        ForwardingHeaders fields = state.downstream().forwarding();
        String requestId = fields.requestId(head, state.requestId());
        if (fields.namesClient(head)) {
            state.nameClient();
        }
        InetSocketAddress client = fields.settleClient(head);
        fields.strip(head);
        state.generation().identityFields().strip(head.headers());
        state.accept(head, requestId, client);
        Traffic.Candidate candidate = exchange.candidate();
        if (candidate != null) {
            choose(candidate, head, exchange, loop);
        }
        Tracing tracing = state.generation().tracing();
        if (tracing != null) {
            state.trace(tracing.begin(head.headers(), fields.isTrusted(), loop.random()));
        }
        boolean empty = head.framing().isEmpty(head.contentLength());
        state.request(empty ? Half.DONE : Half.BODY);
        if (empty) {
            state.timeline().requestIsWhole();
        }
    }

    /**
     * Chooses the stable generation or the candidate. The choice may depend on the client, which is known at this
     * point. The exchange can still change to the candidate, because it has used only one part of the stable
     * generation: the list of identity fields to remove from the request.
     */
    private static void choose(Traffic.Candidate candidate, RequestHead head, ExchangeParts exchange, Loop loop) {
        Split split = candidate.split();
        long place = split.place(head, exchange.state, loop.random());
        exchange.state.group(split.group(place, exchange.state));
        if (split.takes(place, head, exchange.state)) {
            exchange.meet(candidate);
            candidate.generation().identityFields().strip(head.headers());
        } else if (split.copies() != null) {
            copy(split.copies(), head, exchange.state, loop);
        }
    }

    private static void copy(RequestCopies copies, RequestHead head, ExchangeState state, Loop loop) {
        TlsSession tls = state.downstream().tls();
        copies.offer(head, state, state.requestId(), tls, loop.random());
    }
}
