package dev.lychgate.server.admin;

import dev.lychgate.server.admin.AdminRoute.Door;
import dev.lychgate.server.admin.AdminRoute.Method;
import dev.lychgate.server.admin.Audit.Caller;
import dev.lychgate.server.admin.SmallRequests.Incoming;
import dev.lychgate.server.history.Author;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.tls.ClientCertificate;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.TlsChannels;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the requests of one connection to the admin listener in sequence. It reads the next request after the previous
 * response was passed to the operating system. A request must be complete within a time limit.
 */
final class AdminConnection extends SimpleChannelInboundHandler<Incoming> {
    private static final Logger LOG = LoggerFactory.getLogger(AdminConnection.class);

    private final AdminPages pages;
    private final RequestCheck check;
    private final Gatekeeper gatekeeper;
    private final Connections connections;
    private final @Nullable ServerTls tls;
    private final Duration longestRequest;
    private boolean awaiting;
    private boolean last;
    private boolean endless;

    /** The timer that runs from the first byte of a request to its last byte. */
    private @Nullable Future<?> deadline;

    /**
     * @param addressesOnly whether a Host header must contain an IP address or localhost
     * @param tls the TLS settings of the connection; null without TLS
     * @param longestRequest time limit from the first byte of a request to its last
     */
    AdminConnection(
            AdminPages pages,
            boolean addressesOnly,
            Gatekeeper gatekeeper,
            Connections connections,
            @Nullable ServerTls tls,
            Duration longestRequest) {
        this.pages = pages;
        this.check = new RequestCheck(pages, addressesOnly);
        this.gatekeeper = gatekeeper;
        this.connections = connections;
        this.tls = tls;
        this.longestRequest = longestRequest;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        awaitRequest(ctx);
    }

    private void awaitRequest(ChannelHandlerContext ctx) {
        awaiting = true;
        connections.idle(ctx.channel());
        ctx.read();
    }

    /** Requests another read if the request is incomplete, because one read may return only a part of a request. */
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
                AdminResponse.problem(
                        HttpResponseStatus.REQUEST_TIMEOUT, "request-timeout", "the request did not arrive in time"),
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
            return; // the deadline has passed
        }
        awaiting = false;
        connections.busy(ctx.channel());
        stopDeadline();
        if (incoming instanceof Incoming.Refused refused) {
            write(ctx, refused.answer(), false);
        } else if (incoming instanceof Incoming.Request request) {
            answer(ctx, request.head(), request.keepAlive());
        }
    }

    private void answer(ChannelHandlerContext ctx, HttpRequest request, boolean keepAlive) {
        AdminResponse refusal = check.refusal(request);
        if (refusal != null) {
            write(ctx, refusal, false);
            return;
        }
        String target = request.uri();
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        String query = mark < 0 ? null : target.substring(mark + 1);
        Method method = RequestCheck.reads(request) ? Method.GET : Method.POST;
        AdminResponse file = method == Method.GET ? pages.dashboard().find(path, request.headers()) : null;
        if (file != null) {
            write(ctx, file, keepAlive);
            return;
        }
        AdminRoute route = pages.find(method, path);
        if (route != null && route.door() == Door.OPEN) {
            run(ctx, request, route, query, new Caller("anywhere", "nothing", Operator.ANY), keepAlive);
            return;
        }
        Gatekeeper.Verdict verdict = gatekeeper.judge(ctx.channel(), request.headers(), certificate(ctx));
        if (verdict instanceof Gatekeeper.Verdict.Out out) {
            turnAway(ctx, out);
        } else if (verdict instanceof Gatekeeper.Verdict.In in) {
            connections.known(ctx.channel());
            letIn(ctx, request, path, route, query, in.caller(), keepAlive);
        }
    }

    private void turnAway(ChannelHandlerContext ctx, Gatekeeper.Verdict.Out out) {
        if (out.pace() == Gatekeeper.Pace.AT_ONCE) {
            write(ctx, out.answer(), false);
        } else {
            gatekeeper
                    .wrong()
                    .wrong(ctx.channel(), Gatekeeper.host(ctx.channel()), () -> write(ctx, out.answer(), false));
        }
    }

    private void letIn(
            ChannelHandlerContext ctx,
            HttpRequest request,
            String path,
            @Nullable AdminRoute route,
            @Nullable String query,
            Caller caller,
            boolean keepAlive) {
        AdminResponse refusal = check.refusal(request, path, route);
        String forbidden = route == null ? null : pages.refusal(caller.operator(), route, query);
        if (refusal != null) {
            write(ctx, refusal, keepAlive && refusal.status().equals(HttpResponseStatus.NOT_FOUND));
        } else if (route != null && forbidden != null) {
            AdminResponse answer = RequestCheck.forbidden(forbidden);
            if (route.changes()) {
                Audit.tell(caller, route, query, answer.status());
                record(author(caller, request), route, query, answer, 0);
            }
            write(ctx, answer, keepAlive);
        } else if (route != null && path.equals(HystrixStream.PATH) && RequestCheck.isGet(request)) {
            AdminResponse full = pages.hystrix().begin(ctx);
            if (full != null) {
                write(ctx, full, keepAlive);
            } else {
                endless = true;
            }
        } else if (route != null) {
            run(ctx, request, route, query, caller, keepAlive);
        }
    }

    private void run(
            ChannelHandlerContext ctx,
            HttpRequest request,
            AdminRoute route,
            @Nullable String query,
            Caller caller,
            boolean keepAlive) {
        Author author = author(caller, request);
        long begun = System.nanoTime();
        String accept = String.join(",", request.headers().getAll(HttpHeaderNames.ACCEPT));
        page(route, query, accept, author, caller.operator())
                .whenCompleteAsync(
                        (answer, failure) -> {
                            AdminResponse whole = failure == null ? answer : failed(failure);
                            if (route.changes()) {
                                Audit.tell(caller, route, query, whole.status());
                                record(author, route, query, whole, System.nanoTime() - begun);
                            }
                            write(ctx, whole, keepAlive);
                        },
                        ctx.executor());
    }

    private static Author author(Caller caller, HttpRequest request) {
        return RecordedRequest.author(caller, request.headers().get(AdminRoute.INTENDED));
    }

    private void record(Author author, AdminRoute route, @Nullable String query, AdminResponse answer, long nanos) {
        ChangeHistory history = pages.history();
        if (history != null) {
            RecordedRequest.record(history, author, route, query, answer, nanos);
        }
    }

    private CompletableFuture<AdminResponse> page(
            AdminRoute route, @Nullable String query, String accept, Author author, Operator operator) {
        try {
            return pages.answer(route, query, accept, author, operator);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Returns the client certificate. Returns null if the TLS settings have changed since the handshake, because the
     * trusted authorities may be different.
     */
    private @Nullable ClientCertificate certificate(ChannelHandlerContext ctx) {
        SslHandler handler = ctx.pipeline().get(SslHandler.class);
        return handler == null || tls == null || !tls.equals(gatekeeper.access().tls())
                ? null
                : TlsChannels.session(handler, tls.asksClients(), System.currentTimeMillis())
                        .clientCertificate();
    }

    private static AdminResponse failed(Throwable failure) {
        LOG.error("admin: a page failed because of an internal error, so the response is 500", failure);
        return AdminResponse.problem(
                HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal", "the page failed; the log has the reason");
    }

    private void write(ChannelHandlerContext ctx, AdminResponse answer, boolean keepAlive) {
        boolean goesOn = keepAlive && !last;
        ChannelFuture written = ctx.writeAndFlush(answer.response(goesOn));
        if (!goesOn) {
            written.addListener(ChannelFutureListener.CLOSE);
            return;
        }
        // The next request is read only after this response was written, so that a client that reads no responses
        // occupies the memory of only one response. The wait for the next request begins in a later task, because the
        // current read may not have reported its completion yet. This report must not start the timer of the next
        // request.
        written.addListener(done -> {
            if (done.isSuccess()) {
                ctx.executor().execute(() -> {
                    if (last) {
                        ctx.close();
                    } else {
                        awaitRequest(ctx);
                    }
                });
            }
        });
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event != Connections.LAST) {
            ctx.fireUserEventTriggered(event);
            return;
        }
        last = true;
        if (awaiting || endless) {
            ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // Connection resets, read timeouts and decoding errors are caused by the client, so they are logged only at
        // level DEBUG.
        if (cause instanceof IOException || cause instanceof ChannelException || cause instanceof CodecException) {
            LOG.debug("admin connection closed: {}", String.valueOf(cause.getMessage()));
        } else {
            LOG.error("admin: internal error on a connection; closing the connection", cause);
        }
        ctx.close();
    }
}
