package dev.lychgate.server.admin;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the requests of one connection, one after the other: the next one is read when this one is answered. */
final class AdminConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(AdminConnection.class);

    private final AdminPages pages;
    private final boolean addressesOnly;
    private boolean awaiting;

    /** @param addressesOnly whether a Host field must be an address (see {@link HostCheck}) */
    AdminConnection(AdminPages pages, boolean addressesOnly) {
        this.pages = pages;
        this.addressesOnly = addressesOnly;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        awaitRequest(ctx);
    }

    private void awaitRequest(ChannelHandlerContext ctx) {
        awaiting = true;
        ctx.read();
    }

    /** A read may have brought only a part of the request. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (awaiting) {
            ctx.read();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        awaiting = false;
        AdminAnswer refusal = refusal(request);
        if (refusal != null) {
            // Whoever sends what we do not take may not agree with us where the next request begins.
            write(ctx, refusal, false);
            return;
        }
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        String target = request.uri();
        int query = target.indexOf('?');
        page(query < 0 ? target : target.substring(0, query))
                .whenCompleteAsync(
                        (answer, failure) -> {
                            if (failure == null) {
                                write(ctx, answer, keepAlive);
                            } else {
                                LOG.error("the admin page can't be made", failure);
                                write(ctx, failed(), keepAlive);
                            }
                        },
                        ctx.executor());
    }

    private CompletableFuture<AdminAnswer> page(String path) {
        try {
            return pages.get(path);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private @Nullable AdminAnswer refusal(FullHttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return malformed("the request is not HTTP, or its head is too large");
        }
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return AdminAnswer.problem(
                    HttpResponseStatus.METHOD_NOT_ALLOWED, "method-not-allowed", "only GET and HEAD are served here");
        }
        if (!request.uri().startsWith("/")) {
            return malformed("the request target is not a path");
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.size() > 1 || (hosts.isEmpty() && request.protocolVersion().equals(HttpVersion.HTTP_1_1))) {
            return malformed("one Host field is needed");
        }
        if (addressesOnly && !hosts.isEmpty() && !HostCheck.isAddress(hosts.get(0))) {
            return AdminAnswer.problem(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    "misdirected-request",
                    "on the loopback, Host must be an address or localhost");
        }
        return null;
    }

    private static AdminAnswer malformed(String detail) {
        return AdminAnswer.problem(HttpResponseStatus.BAD_REQUEST, "malformed-request", detail);
    }

    private static AdminAnswer failed() {
        return AdminAnswer.problem(
                HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal", "the page can't be made; the log says more");
    }

    private void write(ChannelHandlerContext ctx, AdminAnswer answer, boolean keepAlive) {
        ChannelFuture written = ctx.writeAndFlush(answer.response(keepAlive));
        if (keepAlive) {
            awaitRequest(ctx);
        } else {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // Read timeouts and connection resets are nobody's concern.
        if (!(cause instanceof IOException) && !(cause instanceof io.netty.handler.timeout.ReadTimeoutException)) {
            LOG.error("a fault on an admin connection, which is closed now", cause);
        }
        ctx.close();
    }
}
