package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;

/**
 * {@code /health}, {@code /ready} and {@code /drain}: whether the gateway accepts traffic. To be called on the admin
 * listener's thread.
 */
final class StatusPages {
    /** The status in one word. */
    static final Shape<String> SHAPE = new Shape<String>("Status", "Whether the gateway accepts traffic.")
            .field("status", Json.words("up", "ready", "draining"), "The status in one word.", status -> status);

    static final Parameter<String> READY = Parameter.optional(
            "ready",
            Json.words("true", "false"),
            "false makes /ready report 503 while requests are still served; true ends this");
    static final Parameter<String> EXIT = Parameter.optional(
            "exit", Json.words("true"), "true drains the gateway and ends the process, as SIGTERM does; irreversible");

    private StatusPages() {}

    static String ready(AdminSource source) throws Rejection {
        String reason = source.notReady();
        if (reason != null) {
            throw new Rejection(AdminResponse.unavailable(reason));
        }
        return "ready";
    }

    /**
     * Changes whether the gateway accepts traffic. The request must contain exactly one of these parameters:
     *
     * <ul>
     *   <li>{@code ready=false}: the gateway reports that it is not ready.
     *   <li>{@code ready=true}: the gateway reports that it is ready again.
     *   <li>{@code exit=true}: the gateway drains, and the process ends.
     * </ul>
     *
     * @return the new status of {@code /ready}
     * @throws Rejection with 409 if the gateway is not running or already drains to end the process; with 400 if the
     *     request does not contain exactly one of the parameters
     */
    static String drain(AdminSource source, Parameters given) throws Rejection {
        String ready = given.optional(READY);
        boolean exit = given.optional(EXIT) != null;
        if ((ready == null) != exit) {
            throw Rejection.malformed("exactly one of ready=false, ready=true and exit=true is required");
        }
        boolean aside = !"true".equals(ready);
        if (!(exit ? source.drain() : source.standAside(aside))) {
            throw Rejection.conflict("the gateway is not running, or already drains to end the process");
        }
        return aside ? "draining" : "ready";
    }
}
