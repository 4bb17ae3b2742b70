package com.netflix.zuul.message;

import com.netflix.zuul.context.SessionContext;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import rx.Observable;

/** The state that requests and responses have in common. */
public class ZuulMessageImpl implements ZuulMessage {
    private static final byte[] NOTHING = {};

    private final SessionContext context;
    private Headers headers;
    /** Returns the body that was received; null if the message was not received. */
    private @Nullable Supplier<byte[]> received;
    /** The body that filters have set; null if they have set none. */
    private byte @Nullable [] own;

    private boolean hasBody;
    private boolean incomplete;

    public ZuulMessageImpl(SessionContext context) {
        this(context, new Headers());
    }

    public ZuulMessageImpl(SessionContext context, Headers headers) {
        this.context = context;
        this.headers = headers;
    }

    /** Sets the body that was received. */
    final void receive(boolean present, Supplier<byte[]> body) {
        received = body;
        hasBody = own != null || present;
    }

    /** Returns the body that filters have set since the last call; null if they have set none. */
    final byte @Nullable [] takeBody() {
        byte[] taken = own;
        own = null;
        return taken;
    }

    @Override
    public SessionContext getContext() {
        return context;
    }

    @Override
    public Headers getHeaders() {
        return headers;
    }

    @Override
    public void setHeaders(Headers headers) {
        this.headers = Objects.requireNonNull(headers);
    }

    @Override
    public boolean hasBody() {
        return hasBody;
    }

    @Override
    public void setHasBody(boolean present) {
        hasBody = present;
    }

    @Override
    public byte @Nullable [] getBody() {
        if (own != null) {
            return own;
        }
        return !hasBody || received == null ? null : received.get();
    }

    @Override
    public int getBodyLength() {
        byte[] body = getBody();
        return body == null ? 0 : body.length;
    }

    @Override
    public void setBody(byte[] body) {
        own = body.clone();
        hasBody = true;
        incomplete = false;
    }

    @Override
    public void setBodyAsText(String text) {
        setBody(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public @Nullable String getBodyAsText() {
        byte[] body = getBody();
        return body == null ? null : new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public Iterable<HttpContent> getBodyContents() {
        byte[] body = getBody();
        return body == null ? List.of() : List.of(new DefaultLastHttpContent(Unpooled.wrappedBuffer(body)));
    }

    @Override
    public void bufferBodyContents(HttpContent chunk) {
        byte[] before = own == null ? NOTHING : own;
        byte[] more = ByteBufUtil.getBytes(chunk.content());
        chunk.release();
        byte[] all = Arrays.copyOf(before, before.length + more.length);
        System.arraycopy(more, 0, all, before.length, more.length);
        setBody(all);
        incomplete = !(chunk instanceof io.netty.handler.codec.http.LastHttpContent);
    }

    @Override
    public boolean hasCompleteBody() {
        return !incomplete;
    }

    @Override
    public boolean finishBufferedBodyIfIncomplete() {
        boolean was = incomplete;
        incomplete = false;
        return was;
    }

    @Override
    public void disposeBufferedBody() {
        setBody(NOTHING);
        hasBody = false;
    }

    @Override
    public Observable<byte[]> bufferBody() {
        return Observable.fromCallable(() -> Objects.requireNonNullElse(getBody(), NOTHING));
    }

    @Override
    public int getMaxBodySize() {
        return Integer.MAX_VALUE;
    }

    @Override
    public ZuulMessage clone() {
        ZuulMessageImpl copy = new ZuulMessageImpl(context.clone(), Headers.copyOf(headers));
        copyTo(copy);
        return copy;
    }

    /** Copies the body to another message. */
    protected final void copyTo(ZuulMessageImpl copy) {
        copy.received = received;
        copy.own = own;
        copy.hasBody = hasBody;
        copy.incomplete = incomplete;
    }

    @Override
    public String getInfoForLogging() {
        return "ZuulMessage";
    }
}
