package dev.lychgate.server.admin;

import dev.lychgate.server.terminal.Printable;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each change in one line of the logger {@code lychgate.audit}, with the client, the parameters and the result.
 * Thread-safe.
 *
 * <p>Values are quoted, and all characters except printable ASCII are escaped. Therefore, a value cannot end a line,
 * control a terminal, change the writing direction or forge another value.
 */
public final class Audit {
    /**
     * The client that sent a request.
     *
     * @param address the address with the port
     * @param proof the credential: {@code token}, {@code certificate CN=…}, or {@code nothing} if no credential is
     *     required
     */
    record Caller(String address, String proof, Operator operator) {}

    private static final Logger LOG = LoggerFactory.getLogger("lychgate.audit");
    private static final int LONGEST = 256;

    private Audit() {}

    /**
     * Logs a change request after its response.
     *
     * @param query the query as received; parameters that the route does not define are omitted, because they may
     *     contain secrets
     */
    static void tell(Caller caller, AdminRoute route, @Nullable String query, HttpResponseStatus result) {
        StringBuilder line = new StringBuilder("by=");
        quote(line, caller.address());
        if (!caller.operator().name().isEmpty()) {
            line.append(" operator=");
            quote(line, caller.operator().name());
        }
        line.append(" proof=");
        quote(line, caller.proof());
        line.append(" action=").append(route.path());
        for (Parameter<?> parameter : route.parameters()) {
            for (String value : RecordedValues.of(parameter, query)) {
                line.append(' ').append(parameter.name()).append('=');
                quote(line, value);
            }
        }
        LOG.info("{} result={}", line, result.code());
    }

    /**
     * Logs a change of the state of a rollout, with the numbers of its verdict. If an operator requested the change,
     * that request is logged separately.
     */
    public static void rollout(RolloutControl.Event event) {
        LOG.info(
                "by=\"gateway\" action=rollout generation={} event={} text=\"{}\"",
                event.candidate(),
                event.event(),
                Printable.escaped(event.text()).replace("\"", "\\\""));
    }

    private static void quote(StringBuilder line, String value) {
        boolean isCut = value.length() > LONGEST;
        String shown = Printable.escaped(isCut ? value.substring(0, LONGEST) : value);
        line.append('"').append(shown.replace("\"", "\\\"")).append(isCut ? "...\"" : "\"");
    }
}
