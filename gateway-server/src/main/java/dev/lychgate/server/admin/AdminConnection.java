package dev.lychgate.server.admin;

import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of one connection, one after the other: the next one is read when this one is answered. One that
 * has begun must be whole in time.
 */
final class AdminConnection extends SimpleChannelInboundHandler<Incoming> {
    private static final Logger LOG = LoggerFactory.getLogger(AdminConnection.class);

    /** To be sent with every POST, with any value. */
    private static final String INTENDED = "x-lychgate-admin";

    private final AdminPages pages;
    private final boolean addressesOnly;
    private final Duration longestRequest;
    private boolean awaiting;

    /** Runs from a request's first bytes to its last. */
    private @Nullable Future<?> deadline;

    /**
     * @param addressesOnly whether a Host field must be an address (see {@link HostCheck})
     * @param longestRequest how long a request may take to come
     */
    AdminConnection(AdminPages pages, boolean addressesOnly, Duration longestRequest) {
        this.pages = pages;
        this.addressesOnly = addressesOnly;
        this.longestRequest = longestRequest;
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
            if (deadline == null) {
                deadline =
                        ctx.executor().schedule(() -> tooSlow(ctx), longestRequest.toMillis(), TimeUnit.MILLISECONDS);
            }
            ctx.read();
        }
    }

    private void tooSlow(ChannelHandlerContext ctx) {
        awaiting = false;
        write(
                ctx,
                AdminAnswer.problem(
                        HttpResponseStatus.REQUEST_TIMEOUT, "request-timeout", "the request did not come in time"),
                false);
    }

    private void stopDeadline() {
        Future<?> running = deadline;
        if (running != null) {
            running.cancel(false);
            deadline = null;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        stopDeadline();
        ctx.fireChannelInactive();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Incoming incoming) {
        if (!awaiting) {
            return; // it came too late
        }
        awaiting = false;
        stopDeadline();
        if (incoming instanceof Incoming.Refused refused) {
            write(ctx, refused.answer(), false);
        } else if (incoming instanceof Incoming.Request request) {
            answer(ctx, request.head(), request.keepAlive());
        }
    }

    private void answer(ChannelHandlerContext ctx, HttpRequest request, boolean keepAlive) {
        AdminAnswer refusal = refusal(request);
        if (refusal != null) {
            write(ctx, refusal, false);
            return;
        }
        String target = request.uri();
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        if (path.equals(HystrixStream.PATH) && request.method().equals(HttpMethod.GET)) {
            pages.hystrix().begin(ctx);
            return;
        }
        String parameters = query < 0 ? null : target.substring(query + 1);
        String by = String.valueOf(ctx.channel().remoteAddress());
        page(path, parameters, request.method().equals(HttpMethod.POST), by)
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

    private CompletableFuture<AdminAnswer> page(String path, @Nullable String query, boolean post, String by) {
        try {
            return post ? pages.post(path, query, by) : pages.get(path);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private @Nullable AdminAnswer refusal(HttpRequest request) {
        boolean post = request.method().equals(HttpMethod.POST) && AdminPages.takesPost(request.uri());
        if (!post
                && !request.method().equals(HttpMethod.GET)
                && !request.method().equals(HttpMethod.HEAD)) {
            return AdminAnswer.problem(
                    HttpResponseStatus.METHOD_NOT_ALLOWED, "method-not-allowed", "only GET and HEAD are served here");
        }
        if (post && !request.headers().contains(INTENDED)) {
            // A page in somebody's browser can post to us, but not with a field of its own making.
            return AdminAnswer.problem(
                    HttpResponseStatus.FORBIDDEN, "forbidden", "a POST needs the header field " + INTENDED);
        }
        if (!request.uri().startsWith("/")) {
            return AdminAnswer.malformed("the request target is not a path");
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.size() > 1 || (hosts.isEmpty() && request.protocolVersion().equals(HttpVersion.HTTP_1_1))) {
            return AdminAnswer.malformed("one Host field is needed");
        }
        if (addressesOnly && !hosts.isEmpty() && !HostCheck.isAddress(hosts.get(0))) {
            return AdminAnswer.problem(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    "misdirected-request",
                    "on the loopback, Host must be an address or localhost");
        }
        return null;
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
        // Connection resets, read timeouts and what a decoder can't bear are the other side's concern.
        if (cause instanceof IOException || cause instanceof ChannelException || cause instanceof CodecException) {
            LOG.debug("an admin connection is closed: {}", String.valueOf(cause.getMessage()));
        } else {
            LOG.error("a fault on an admin connection, which is closed now", cause);
        }
        ctx.close();
    }
}
