package dev.lychgate.codec;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Netty's response decoder, behind a {@link HeadGate}, told what each answer belongs to. Bytes that come while no answer is awaited are not parsed
 * but reported: an origin that speaks unasked is out of step.
 */
final class NettyResponseDecoder extends HttpResponseDecoder implements ResponseSource {
    private final HeadGate gate;
    private final @Nullable FlatResponses flat;
    private final TrailersFactory trailers;
    private @Nullable WebSocketOffer offer;
    private boolean tunnel;
    private boolean awaiting;
    private boolean toHead;
    private boolean begun;
    private boolean unsolicited;
    /** To Netty's decoder nothing is HTTP any more. */
    private boolean switched;

    /** @param flat reads what it can before Netty does; null if Netty is to read everything */
    NettyResponseDecoder(DecoderLimits limits, @Nullable FlatResponses flat) {
        this(limits, flat, new TrailersFactory());
    }

    private NettyResponseDecoder(DecoderLimits limits, @Nullable FlatResponses flat, TrailersFactory trailers) {
        super(NettyRequestDecoder.config(limits).setTrailersFactory(trailers));
        this.flat = flat;
        this.trailers = trailers;
        gate = new HeadGate(HeadScanner.ofResponses(limits), limits);
    }

    @Override
    public void expect(boolean answerToHead) {
        awaiting = true;
        toHead = answerToHead;
        if (flat != null) {
            flat.expect(answerToHead);
        }
        begun = false;
        offer = null;
    }

    @Override
    public void expectTunnel(WebSocketOffer asked) {
        expect(false);
        offer = asked;
    }

    /** What was asked for beyond HTTP; null if nothing. */
    @Nullable
    WebSocketOffer offer() {
        return offer;
    }

    /** It was granted: nothing more is HTTP here. */
    void becomeTunnel() {
        tunnel = true;
    }

    @Override
    public boolean begun() {
        return begun;
    }

    @Override
    public long bodyLeft() {
        return flat == null || !awaiting || actualReadableBytes() > 0 ? 0 : flat.left();
    }

    @Override
    public void pass(long bytes) {
        if (bytes >= bodyLeft()) {
            throw new IllegalArgumentException("a body of which nothing is left to be read");
        }
        Objects.requireNonNull(flat).pass(bytes);
    }

    /** The final answer has been handed on. @return whether bytes beyond it have already arrived */
    boolean complete() {
        awaiting = false;
        return actualReadableBytes() > 0;
    }

    /** Whether the awaited answer belongs to a HEAD request. */
    boolean isToHead() {
        return toHead;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        if (tunnel) {
            out.add(buffer.readRetainedSlice(buffer.readableBytes()));
        } else if (awaiting) {
            begun = true;
            if (gate.admits(buffer, out)) {
                int before = buffer.readableBytes();
                if (flat == null || switched || !flat.read(buffer, gate, out)) {
                    trailers.expect(gate.isChunked());
                    super.decode(ctx, buffer, out);
                }
                gate.decoded(buffer, before - buffer.readableBytes(), out);
            }
        } else {
            buffer.skipBytes(buffer.readableBytes());
            if (!unsolicited) {
                unsolicited = true;
                out.add(Unsolicited.BYTES);
            }
        }
    }

    @Override
    protected void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (awaiting && !tunnel) {
            super.decodeLast(ctx, in, out);
        }
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        boolean empty = toHead || super.isContentAlwaysEmpty(message);
        if (empty) {
            requireClearFraming(message);
        }
        return empty;
    }

    @Override
    protected boolean isSwitchingToNonHttp1Protocol(HttpResponse answer) {
        boolean switching = super.isSwitchingToNonHttp1Protocol(answer);
        switched |= switching;
        return switching;
    }

    /**
     * Netty takes the coding off a head that has no body, and nobody behind it would know. But who contradicts himself in
     * one answer is not to be trusted with where the next one begins (RFC 9112, 6.3).
     */
    private static void requireClearFraming(HttpMessage message) {
        HttpHeaders headers = message.headers();
        String coding = headers.get(HttpHeaderNames.TRANSFER_ENCODING);
        if (coding != null
                && (message.protocolVersion().minorVersion() == 0
                        || headers.contains(HttpHeaderNames.CONTENT_LENGTH)
                        || !coding.equalsIgnoreCase("chunked")
                        || headers.getAll(HttpHeaderNames.TRANSFER_ENCODING).size() > 1)) {
            throw new IllegalArgumentException("contradictory framing");
        }
    }

    /** What the decoder hands on instead of a message when bytes come unasked. */
    enum Unsolicited {
        BYTES
    }
}
