package dev.lychgate.server.demo;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/** The requests of the demo's traffic: a fixed sequence over its routes, repeated. Used by one thread. */
final class DemoRequests {
    static final String USER_AGENT = "lychgate-demo";

    private static final int UPLOAD = 10_000;

    /** Payments often enough for their circuit breaker to see an outage within three seconds. */
    private static final List<String> TARGETS = List.of(
            "/",
            "/payments/1",
            "/orders/1",
            "/download?length=20000",
            "/inventory/1",
            "/payments/2",
            "/upload",
            "/reports/daily",
            "/orders/2",
            "/welcome",
            "/payments/3",
            "/headers",
            "/inventory/2",
            "/orders/3",
            "/old/page",
            "/payments/4",
            "/download?length=300000&chunked=true",
            "/orders/4",
            "/inventory/3",
            "/missing?status=404");

    private int number;

    /** The next one; the caller's to release. */
    FullHttpRequest next() {
        int round = number / TARGETS.size();
        String target = TARGETS.get(number++ % TARGETS.size());
        boolean upload = target.equals("/upload");
        ByteBuf body = upload ? Unpooled.wrappedBuffer(new byte[UPLOAD]) : Unpooled.EMPTY_BUFFER;
        FullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, upload ? HttpMethod.POST : HttpMethod.GET, target, body);
        request.headers().set("host", "demo.example").set("user-agent", USER_AGENT);
        if (upload) {
            request.headers().set("content-length", UPLOAD);
        } else if (target.startsWith("/orders/")) {
            request.headers().set("x-customer", 1 + round % 1000);
        } else if (target.equals("/") && round % 2 == 1) {
            request.headers().set("x-canary", "yes");
        }
        return request;
    }
}
