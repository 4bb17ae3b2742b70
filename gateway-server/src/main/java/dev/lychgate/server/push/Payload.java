package dev.lychgate.server.push;

/** One body that waits to be sent. Compared by identity: two that look alike are two. */
final class Payload {
    private final byte[] body;
    private final int items;

    Payload(byte[] body, int items) {
        this.body = body;
        this.items = items;
    }

    byte[] body() {
        return body;
    }

    int items() {
        return items;
    }
}
