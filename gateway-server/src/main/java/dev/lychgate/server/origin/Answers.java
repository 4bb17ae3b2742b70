package dev.lychgate.server.origin;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;

/** Chooses the answer, and holds the short ones. */
final class Answers {
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    private Answers() {}

    /** The answer to a request whose turn it is; may begin to write at once. */
    static Answer to(HttpRequest request, Turn turn, Desk desk) {
        Ask ask = turn.ask;
        if (ask.echo()) {
            return new Echo(turn, request);
        }
        if (ask.length() >= 0) {
            return new Download(turn, desk);
        }
        return switch (ask.path()) {
            case "/headers" -> () -> turn.respond(JSON, utf8(headers(request)));
            case "/upload" -> new Upload(turn);
            case "/events" -> new Events(turn);
            case "/ws" -> new WebSocketEcho(turn, request);
            case "/count" -> () -> turn.respond(JSON, utf8("{\"requests\":" + desk.requests() + "}\n"));
            default ->
                ask.status() == 200
                        ? () -> turn.respond(JSON, utf8(hello(desk)))
                        : () -> turn.respond(TEXT, utf8("status " + ask.status() + "\n"));
        };
    }

    /** An answer to what can't be answered. */
    static void refuse(Turn turn, String sentence) {
        turn.respond(TEXT, utf8(sentence + "\n"));
    }

    private static String hello(Desk desk) {
        return "{\"hello\":\"from Lychgate's demo origin\",\"instance\":" + Json.quote(desk.name) + ",\"requests\":"
                + desk.requests() + "}\n";
    }

    private static String headers(HttpRequest request) {
        StringBuilder json = new StringBuilder("{\"method\":")
                .append(Json.quote(request.method().name()))
                .append(",\"target\":")
                .append(Json.quote(request.uri()))
                .append(",\"version\":")
                .append(Json.quote(request.protocolVersion().text()))
                .append(",\"headers\":[");
        String comma = "";
        for (Map.Entry<String, String> field : request.headers()) {
            json.append(comma)
                    .append("{\"name\":")
                    .append(Json.quote(field.getKey()))
                    .append(",\"value\":")
                    .append(Json.quote(field.getValue()))
                    .append('}');
            comma = ",";
        }
        return json.append("]}\n").toString();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Sends the request's body back while it comes in. */
    private static final class Echo implements Answer {
        private final Turn turn;

        Echo(Turn turn, HttpRequest request) {
            this.turn = turn;
            boolean known = HttpUtil.isContentLengthSet(request);
            boolean none = !known && !HttpUtil.isTransferEncodingChunked(request);
            String type = request.headers().get("content-type", "application/octet-stream");
            turn.begin(type, known ? HttpUtil.getContentLength(request, 0L) : none ? 0 : -1);
        }

        @Override
        public void onBody(ByteBuf part) {
            turn.body(part);
        }

        @Override
        public void onEnd() {
            turn.finish();
        }
    }

    /** Swallows the request's body and says what it was. */
    private static final class Upload implements Answer {
        private final Turn turn;
        private final MessageDigest digest = DemoContent.newSha256();
        private long bytes;

        Upload(Turn turn) {
            this.turn = turn;
        }

        @Override
        public void onBody(ByteBuf part) {
            bytes += part.readableBytes();
            digest.update(part.nioBuffer());
            part.release();
        }

        @Override
        public void onEnd() {
            String sum = HexFormat.of().formatHex(digest.digest());
            turn.respond(JSON, utf8("{\"bytes\":" + bytes + ",\"sha256\":\"" + sum + "\"}\n"));
        }
    }
}
