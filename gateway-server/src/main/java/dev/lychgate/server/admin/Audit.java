package dev.lychgate.server.admin;

import dev.lychgate.http.QueryParameters;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who has had what changed, with which parameters, and what came of it: a line each, of logger {@code lychgate.audit}. Values
 * stand in quotes, and all but printable ASCII is escaped: what would end a line, steer a terminal, turn the direction of writing
 * or forge a second value. Any thread.
 */
final class Audit {
    /**
     * Who asks.
     *
     * @param address where from, with the port
     * @param proof by what they were let in: {@code token}, {@code certificate CN=…}, or {@code nothing} where nothing is asked
     */
    record Caller(String address, String proof) {}

    private static final Logger LOG = LoggerFactory.getLogger("lychgate.audit");
    private static final int LONGEST = 256;

    private Audit() {}

    /**
     * Tells of a request that something be changed, once it has been answered.
     *
     * @param query as it came; what the route does not know is not told, for nobody knows what it is
     */
    static void tell(Caller caller, AdminRoute route, @Nullable String query, HttpResponseStatus result) {
        StringBuilder line = new StringBuilder("by=");
        quote(line, caller.address());
        line.append(" proof=");
        quote(line, caller.proof());
        line.append(" action=").append(route.path());
        for (Parameter<?> parameter : route.parameters()) {
            for (String value : QueryParameters.of(query, parameter.name())) {
                line.append(' ').append(parameter.name()).append('=');
                quote(line, value);
            }
        }
        LOG.info("{} result={}", line, result.code());
    }

    private static void quote(StringBuilder line, String value) {
        line.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (i == LONGEST) {
                line.append("...");
                break;
            }
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                line.append(c);
            } else {
                line.append(String.format("\\u%04x", (int) c));
            }
        }
        line.append('"');
    }
}
