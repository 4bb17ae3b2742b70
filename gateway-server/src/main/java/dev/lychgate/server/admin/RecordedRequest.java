package dev.lychgate.server.admin;

import dev.lychgate.server.history.Author;
import dev.lychgate.server.history.Change;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.terminal.JsonValue;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes an entry into the history for each change that a client of the admin listener requested, even if the change
 * failed. Thread-safe.
 */
final class RecordedRequest {
    /**
     * Operations that are not recorded here, because the owner of the generations records their results together with
     * the files.
     */
    private static final Set<String> OF_GENERATIONS = Set.of("/reload", "/rollback");

    /** The value of {@link AdminRoute#INTENDED} that the commands of the command line send. */
    private static final String COMMAND = "cli";

    private RecordedRequest() {}

    /**
     * Returns the author of a request.
     *
     * @param intent the value of {@link AdminRoute#INTENDED}; null if the request has none
     */
    static Author author(Audit.Caller caller, @Nullable String intent) {
        return new Author(
                COMMAND.equals(intent) ? COMMAND : "admin", caller.operator().name(), caller.address(), caller.proof());
    }

    /**
     * Records a request.
     *
     * @param nanos the duration of the operation in nanoseconds
     */
    static void record(
            ChangeHistory history,
            Author author,
            AdminRoute route,
            @Nullable String query,
            AdminResponse answer,
            long nanos) {
        HttpResponseStatus status = answer.status();
        if (OF_GENERATIONS.contains(route.path()) && isOutcome(status)) {
            return;
        }
        boolean accepted = status.equals(HttpResponseStatus.OK);
        Change change = Change.of(route.path().substring(1), author, verdict(status), accepted ? "" : detail(answer))
                .with(parameters(route, query))
                .lasting(TimeUnit.NANOSECONDS.toMillis(nanos));
        if (accepted) {
            history.record(change);
        } else {
            history.recordRefusal(change);
        }
    }

    private static boolean isOutcome(HttpResponseStatus status) {
        return status.equals(HttpResponseStatus.OK)
                || status.equals(HttpResponseStatus.NOT_FOUND)
                || status.equals(HttpResponseStatus.UNPROCESSABLE_ENTITY);
    }

    private static String verdict(HttpResponseStatus status) {
        return status.equals(HttpResponseStatus.OK)
                ? "accepted"
                : status.equals(HttpResponseStatus.FORBIDDEN)
                        ? "denied"
                        : status.code() >= HttpResponseStatus.INTERNAL_SERVER_ERROR.code() ? "failed" : "refused";
    }

    private static String detail(AdminResponse answer) {
        try {
            return JsonValue.of(new String(answer.body(), StandardCharsets.UTF_8))
                    .get("detail")
                    .raw();
        } catch (IOException e) {
            return answer.status().toString();
        }
    }

    /**
     * Returns the parameters that the route knows. Other parameters are omitted, because their values may be secret.
     */
    private static Map<String, String> parameters(AdminRoute route, @Nullable String query) {
        Map<String, String> known = new LinkedHashMap<>();
        for (Parameter<?> parameter : route.parameters()) {
            List<String> values = RecordedValues.of(parameter, query);
            if (!values.isEmpty()) {
                known.put(parameter.name(), String.join(", ", values));
            }
        }
        return known;
    }
}
