package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import java.util.concurrent.CompletableFuture;

/**
 * Two things that operators call draining, and that must not be taken for each other: to have no more traffic sent here, for
 * a while ({@code ready=false}), and to have the process end ({@code exit=true}). So one of them has to be said.
 */
final class DrainActions {
    static final Parameter<String> READY = Parameter.optional(
            "ready", Json.words("true", "false"), "false says not ready and serves on, true takes that back");
    static final Parameter<String> EXIT =
            Parameter.optional("exit", Json.words("true"), "true drains as on SIGTERM; nothing takes that back");

    private DrainActions() {}

    /** Returns what {@code /ready} says now; 409 if it can't be any more, 400 unless one thing is said. */
    static CompletableFuture<AdminAnswer> drain(AdminSource source, Parameters given) throws Rejection {
        String ready = given.optional(READY);
        boolean exit = given.optional(EXIT) != null;
        if ((ready == null) != exit) {
            throw Rejection.malformed("ready=false, ready=true or exit=true is needed, and one of them");
        }
        boolean aside = !"true".equals(ready);
        if (!(exit ? source.drain() : source.standAside(aside))) {
            throw Rejection.conflict("the gateway is not running, or drains already and ends then");
        }
        return AdminAnswer.now(AdminAnswer.json(ReadingRoutes.STATUS, aside ? "draining" : "ready"));
    }
}
