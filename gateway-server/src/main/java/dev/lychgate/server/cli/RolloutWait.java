package dev.lychgate.server.cli;

import dev.lychgate.config.Durations;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.terminal.JsonValue;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Waits for the outcome of one rollout, by requesting {@code /rollout} every second. Tolerates failures of the admin
 * listener for up to 30 seconds.
 */
final class RolloutWait {
    /** The states of a rollout that has no outcome yet. */
    private static final Set<String> OPEN = Set.of("running", "paused", "promoting");
    /** Time between two requests, in seconds. */
    private static final int INTERVAL = 1;
    /** The longest time without a successful response of the admin listener. */
    private static final Duration FAILING = Duration.ofSeconds(30);

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "With wait: the longest time to wait, such as 30m; default until the end of the rollout.")
    private @Nullable String time;

    private double candidate;

    boolean isLimited() {
        return time != null;
    }

    /**
     * Returns whether a rollout has no outcome yet.
     *
     * @param rollout the rollout in the form in which {@code /rollout} returns it
     */
    static boolean isOpen(JsonValue rollout) {
        return OPEN.contains(rollout.text("state"));
    }

    /**
     * Waits until a rollout ends, but no longer than {@code --for}.
     *
     * @param first the latest response of the admin listener
     * @param rollout the rollout that {@code first} contains
     * @return the latest response; {@code first} if it already contains the outcome
     * @throws StartException if the admin listener does not respond for longer than {@link #FAILING}
     */
    HttpResponse<String> await(AdminClient client, HttpResponse<String> first, JsonValue rollout) throws Exception {
        Duration limit = limit();
        long start = System.nanoTime();
        long answered = start;
        HttpResponse<String> last = first;
        JsonValue now = rollout;
        candidate = rollout.number("candidate");
        while (isOpen(now)
                && now.number("candidate") == candidate
                && (limit == null || since(start).compareTo(limit) < 0)) {
            TimeUnit.SECONDS.sleep(INTERVAL);
            try {
                HttpResponse<String> next = client.ask("GET", "/rollout");
                if (next.statusCode() == AdminCommand.OK) {
                    now = JsonValue.of(next.body());
                    last = next;
                    answered = System.nanoTime();
                } else if (since(answered).compareTo(FAILING) > 0) {
                    return next;
                }
            } catch (StartException e) {
                if (since(answered).compareTo(FAILING) > 0) {
                    throw e;
                }
            }
        }
        return last;
    }

    private static Duration since(long time) {
        return Duration.ofNanos(System.nanoTime() - time);
    }

    /**
     * Returns the time limit; null if there is none.
     *
     * @throws UsageException if the given time is malformed
     */
    @Nullable
    Duration limit() throws UsageException {
        if (time == null) {
            return null;
        }
        try {
            Duration limit = Durations.parse(time);
            if (!limit.isNegative()) {
                return limit;
            }
        } catch (IllegalArgumentException e) {
            // Reported like a negative time.
        }
        throw new UsageException("--for " + time + " (expected: a duration such as 30s, 10m or 1h)");
    }

    /** Returns the exit code for the rollout in the last response. */
    int exitCode(JsonValue rollout) {
        String state = rollout.text("state");
        if (rollout.number("candidate") != candidate) {
            return ExitCode.FAILED;
        }
        return switch (state) {
            case "promoted" -> ExitCode.OK;
            case "aborted", "superseded" -> ExitCode.FAILED;
            default -> ExitCode.NO_RESULT;
        };
    }
}
