package dev.lychgate.server.discovery;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import java.io.IOException;
import java.util.List;

/**
 * Reads the endpoints of a service from the text of a file. A list in JSON contains target groups of Prometheus. An
 * object in JSON contains load assignments of Envoy. If one endpoint is malformed, the whole file is refused, because
 * the operator controls the whole file.
 */
final class EndpointFile {
    private EndpointFile() {}

    /**
     * @param service the name of the service, which selects one of several load assignments
     * @throws IOException if the text is refused; the message is the reason
     */
    static List<FoundEndpoint> read(String text, String service) throws IOException {
        JsonValue json;
        try {
            json = JsonValue.of(text);
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new UnusableReportException("line " + line + " is not JSON");
        }
        try {
            if (json.isList()) {
                return TargetGroups.read(json);
            }
            if (json.isObject()) {
                return LoadAssignments.read(json, service);
            }
        } catch (IllegalArgumentException e) {
            throw new UnusableReportException(String.valueOf(e.getMessage()));
        }
        throw new UnusableReportException("the file is neither a list of target groups nor a load assignment");
    }
}
