package dev.lychgate.server.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * Two things that operators call draining, and that must not be taken for each other: to have no more traffic sent here, for
 * a while ({@code ready=false}), and to have the process end ({@code exit=true}). So one of them has to be said.
 */
final class DrainActions {
    private DrainActions() {}

    /** 200 with what {@code /ready} says now, 409 if it can't be any more, 400 for what can't be understood. */
    static AdminAnswer drain(AdminSource source, Parameters given) {
        @Nullable String ready = given.optional("ready");
        @Nullable String exit = given.optional("exit");
        if ((ready == null) == (exit == null)) {
            return AdminAnswer.malformed("ready=false, ready=true or exit=true is needed, and one of them");
        }
        if (exit != null) {
            if (!exit.equals("true")) {
                return AdminAnswer.malformed("exit is true, or not there");
            }
            return source.drain() ? status("draining") : conflict();
        }
        boolean aside = "false".equals(ready);
        if (!aside && !"true".equals(ready)) {
            return AdminAnswer.malformed("ready is true or false");
        }
        return source.standAside(aside) ? status(aside ? "draining" : "ready") : conflict();
    }

    private static AdminAnswer conflict() {
        return AdminAnswer.problem(
                HttpResponseStatus.CONFLICT, "conflict", "the gateway is not running, or drains already and ends then");
    }

    private static AdminAnswer status(String status) {
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            json.writeStringField("status", status);
            json.writeEndObject();
        });
    }
}
