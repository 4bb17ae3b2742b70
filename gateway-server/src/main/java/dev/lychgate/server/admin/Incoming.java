package dev.lychgate.server.admin;

import io.netty.handler.codec.http.HttpRequest;

/** What has come on a connection. */
sealed interface Incoming {
    /**
     * A whole request; its body, if it had one, has been thrown away.
     *
     * @param keepAlive whether another one may follow it
     */
    record Request(HttpRequest head, boolean keepAlive) implements Incoming {}

    /** Something that is not taken; nothing is listened to after it. @param answer what to say to it */
    record Refused(AdminAnswer answer) implements Incoming {}
}
