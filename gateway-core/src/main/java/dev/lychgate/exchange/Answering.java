package dev.lychgate.exchange;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * The way of an exchange's answer, from its head to its last byte: outbound filters, then the client. Answers of origins
 * and answers of ours go the same way.
 */
final class Answering {
    private static final long GOES_ON = Long.MAX_VALUE;

    private final Exchange exchange;
    private final Downstream downstream;
    private final ExchangeRecord record;
    private @Nullable ResponseHead head;
    /** The origin was asked for a head alone. */
    private boolean unseen;
    /** What is answered without an origin and without filters, until it is sent. */
    private @Nullable ByteBuf localBody;
    /** The status that is noted down, where the one that is sent says nothing; 0 where it does. */
    private int standsFor;
    /** An outbound filter has answered, or failed: the answer to that is not for outbound filters. */
    private boolean outboundOver;
    /** Since when the origin is read no more, as the client takes nothing; in wheel time, or {@link #GOES_ON}. */
    private long stalledSince = GOES_ON;

    Answering(Exchange exchange) {
        this.exchange = exchange;
        this.downstream = exchange.downstream();
        this.record = exchange.record();
    }

    /** The answer's head, from when there is one. */
    @Nullable
    ResponseHead head() {
        return head;
    }

    /** No outbound filter is to see any answer of this exchange any more. */
    void endOutbound() {
        outboundOver = true;
    }

    // ---- answers of the origin

    void onInformational(ResponseHead interim) {
        RequestHead received = exchange.requireHead();
        // HTTP/1.0 knows no interim answers (RFC 9110, 15.2).
        if (exchange.phase() == Phase.FORWARDING && !received.isHttp10()) {
            downstream.writeInformational(interim);
            downstream.flush();
            pauseOriginIfClientIsSlow();
        }
    }

    void onHead(ResponseHead answer) {
        RequestHead request = exchange.requireHead();
        unseen = request.method().equals(HttpMethod.HEAD);
        AnswerFraming.ofOrigin(answer, request);
        commit(answer);
    }

    void onBody(ByteBuf piece) {
        FilteredExchange f = exchange.filtered();
        if (f != null && exchange.phase() == Phase.FILTERING_RESPONSE) {
            f.holdResponse(piece);
            return;
        }
        if (requireAnswer().framing() == BodyFraming.NONE) {
            // The client has asked for the head alone, and a filter has asked the origin for more.
            piece.release();
            return;
        }
        FilteredBody body = f == null ? null : f.heldResponse();
        if (body == null) {
            write(piece);
        } else {
            body.hold(piece);
            if (!relay(body)) {
                return;
            }
        }
        pauseOriginIfClientIsSlow();
    }

    /** A piece that nobody could look at; whoever has asked for such has seen that nobody wants to. */
    void onBody(SplicedPiece piece) {
        record.responseBytes += piece.count();
        downstream.writeBody(piece);
        pauseOriginIfClientIsSlow();
    }

    void onEnd(HttpHeaders trailers) {
        FilteredExchange f = exchange.filtered();
        if (f != null && exchange.phase() == Phase.FILTERING_RESPONSE) {
            f.endResponse(trailers);
            return;
        }
        FilteredBody body = f == null ? null : f.heldResponse();
        // An answer that has no body, to a HEAD for one, has no end of one either.
        if (body != null && body.isTransformed() && requireAnswer().framing() != BodyFraming.NONE) {
            body.end(trailers);
            endIfAllIsSent(body);
        } else {
            end(trailers);
        }
    }

    /** All that one read from the origin brought has been told. */
    void onReadComplete() {
        FilteredExchange f = exchange.filtered();
        FilteredBody body = f == null ? null : f.heldResponse();
        if (body != null && exchange.phase() == Phase.RELAYING) {
            flush(body);
        }
    }

    /** The client takes more: what waits of the answer goes first. */
    void goOn() {
        FilteredExchange f = exchange.filtered();
        FilteredBody body = f == null ? null : f.heldResponse();
        if (body != null && exchange.phase() == Phase.RELAYING && body.hasNext()) {
            if (!relay(body)) {
                return;
            }
            if (body.isEnded()) {
                endIfAllIsSent(body);
                // What is written and not flushed never leaves, and the client's channel never becomes writable.
                downstream.flush();
                return;
            }
            flush(body);
            downstream.flush();
            if (body.hasNext()) {
                return;
            }
        }
        readOn();
    }

    /** Sends what is held, as far as the client takes it. @return false if the exchange has failed by that */
    private boolean relay(FilteredBody body) {
        boolean waits = false;
        while (!waits) {
            ByteBuf piece = body.next();
            if (piece == null) {
                break;
            }
            write(piece);
            // Only a transform that makes much of little is kept from it; what has come as it is was paid for.
            waits = !downstream.isWritable() && body.hasMore();
        }
        return !exchange.failIfBroken(body);
    }

    private void flush(FilteredBody body) {
        if (body.isTransformed()
                && !body.isEnded()
                && !body.hasNext()
                && requireAnswer().framing() != BodyFraming.NONE) {
            ByteBuf flushed = body.flush();
            if (!exchange.failIfBroken(body)) {
                write(flushed);
            }
        }
    }

    private void endIfAllIsSent(FilteredBody body) {
        if (body.hasNext()) {
            pauseOriginIfClientIsSlow();
            return;
        }
        ByteBuf tail = body.tail();
        if (!exchange.failIfBroken(body)) {
            write(tail);
            end(body.trailers());
        }
    }

    private void pauseOriginIfClientIsSlow() {
        Attempt a = exchange.sending();
        if (a != null && !downstream.isWritable()) {
            a.pauseReading();
            if (stalledSince == GOES_ON) {
                stalledSince = exchange.now();
            }
        }
    }

    /** For how long the client has taken so little that the origin is not read, in nanoseconds; 0 if it is. */
    long stalled() {
        return stalledSince == GOES_ON ? 0 : exchange.now() - stalledSince;
    }

    // ---- answers of ours

    /**
     * Answers a call of gRPC, whose failures look like good answers.
     *
     * @param status what is noted down in the place of that
     */
    void answerCall(ResponseHead local, int status) {
        standsFor = status;
        answerAs(local, Unpooled.EMPTY_BUFFER);
    }

    /** Answers without an origin. */
    void answer(ResponseHead local, ByteBuf body) {
        standsFor = 0;
        answerAs(local, body);
    }

    private void answerAs(ResponseHead local, ByteBuf body) {
        unseen = false;
        LocalAnswers.frame(local, body.readableBytes(), AnswerFraming.isToHead(exchange.head()));
        if (exchange.filtered() != null || (exchange.chains().outbound().length > 0 && !outboundOver)) {
            FilteredBody held = exchange.filtering().newResponseBody();
            held.hold(body);
            held.end(EmptyHttpHeaders.INSTANCE);
        } else {
            localBody = body;
        }
        commit(local);
    }

    /** Lets go of an answer that will not be sent. */
    void drop() {
        ByteBuf body = localBody;
        localBody = null;
        if (body != null) {
            body.release();
        }
        FilteredExchange f = exchange.filtered();
        if (f != null) {
            f.dropResponse();
        }
    }

    // ---- on to the client

    /** There is an answer: it is sent as soon as outbound filters have seen it. */
    private void commit(ResponseHead answer) {
        exchange.become(Phase.FILTERING_RESPONSE);
        head = answer;
        if (outboundOver
                || !exchange.runs(FilterStage.OUTBOUND, exchange.chains().outbound())) {
            deliver();
        }
    }

    /** Nothing is left that could change the answer. */
    void deliver() {
        ResponseHead answer = requireAnswer();
        FilteredExchange f = exchange.filtered();
        if (answer.isTunnel()) {
            open(answer, f);
            return;
        }
        if (f != null && !settle(f, answer)) {
            return;
        }
        exchange.become(Phase.RELAYING);
        exchange.response(Half.BODY);
        record.status = standsFor == 0 ? answer.status() : standsFor;
        exchange.answered(f != null);
        downstream.writeHead(answer);
        FilteredBody held = f == null ? null : f.heldResponse();
        ByteBuf local = localBody;
        if (held != null) {
            deliverHeld(answer, held);
        } else if (local != null) {
            localBody = null;
            writeOrDrop(answer, local);
            end(EmptyHttpHeaders.INSTANCE);
        } else {
            spliceIfItPays(answer);
            if (f != null) {
                readOnAfterFilters();
            }
        }
    }

    /** No filter holds the body: if it is long, and its end is told by its length, it need not be read. */
    private void spliceIfItPays(ResponseHead answer) {
        if (answer.framing() == BodyFraming.LENGTH && answer.contentLength() >= downstream.splicesFrom()) {
            Attempt a = exchange.sending();
            if (a != null) {
                a.splice();
            }
        }
    }

    /** The answer is a tunnel, and the client is told so. */
    private void open(ResponseHead answer, @Nullable FilteredExchange f) {
        exchange.become(Phase.RELAYING);
        exchange.response(Half.BODY);
        record.status = answer.status();
        exchange.answered(f != null);
        FilteredBody held = f == null ? null : f.heldResponse();
        if (f != null) {
            f.traceInto(answer);
        }
        downstream.writeHead(answer);
        Tunnel tunnel = exchange.openTunnel();
        if (held != null) {
            for (ByteBuf piece = held.next(); piece != null; piece = held.next()) {
                tunnel.fromOrigin(piece);
            }
        }
        downstream.flush();
        if (held != null && held.isEnded()) {
            exchange.finishTunnel();
            return;
        }
        if (f != null) {
            readOnAfterFilters();
        }
        downstream.resumeReading();
        exchange.onDownstreamReadComplete();
        if (downstream.isDraining()) {
            exchange.drain();
        }
    }

    /** A filter that answered later has kept the origin waiting, whether or not anything of the body had come. */
    private void readOnAfterFilters() {
        readOn();
        pauseOriginIfClientIsSlow();
    }

    /** Makes the head say what filters have left of the body. @return false if the exchange has failed by that */
    private boolean settle(FilteredExchange f, ResponseHead answer) {
        AnswerFraming.afterFilters(answer, f, AnswerFraming.isToHead(exchange.head()), unseen);
        FilteredBody body = f.heldResponse();
        if (body != null && body.failure() != null) {
            outboundOver = true;
            exchange.failIfBroken(body);
            return false;
        }
        f.traceInto(answer);
        return true;
    }

    private void deliverHeld(ResponseHead answer, FilteredBody held) {
        if (held.isReplaced()) {
            held.release();
            writeOrDrop(answer, Unpooled.wrappedBuffer(held.bytes()));
            end(EmptyHttpHeaders.INSTANCE);
            return;
        }
        if (answer.framing() == BodyFraming.NONE) {
            held.release();
        }
        if (!relay(held)) {
            return;
        }
        if (held.isEnded() && !held.hasNext()) {
            end(held.trailers());
        } else if (!held.isEnded()) {
            flush(held);
            readOnAfterFilters();
        }
    }

    /** More of the answer may come: its filters need it, or have done with it. */
    void readOn() {
        Attempt a = exchange.sending();
        stalledSince = GOES_ON;
        if (a != null) {
            a.resumeReading();
        }
    }

    private ResponseHead requireAnswer() {
        ResponseHead answer = head;
        if (answer == null) {
            throw new IllegalStateException("no answer in phase " + exchange.phase());
        }
        return answer;
    }

    private void writeOrDrop(ResponseHead answer, ByteBuf piece) {
        if (answer.framing() == BodyFraming.NONE) {
            piece.release();
        } else {
            write(piece);
        }
    }

    /** Writes a piece of the answer's body, which is owned here, as it is. */
    void write(ByteBuf piece) {
        if (!piece.isReadable()) {
            // A transform has kept it all.
            piece.release();
            return;
        }
        record.responseBytes += piece.readableBytes();
        downstream.writeBody(piece);
    }

    private void end(HttpHeaders trailers) {
        exchange.response(Half.DONE);
        downstream.writeEnd(trailers);
        exchange.finish();
    }
}
