package dev.lychgate.server.admin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Durations;
import dev.lychgate.config.RolloutConfig;
import dev.lychgate.config.SampleRate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rollout that an operator requests with a reload, in place of the configured rollout.
 *
 * @param steps the candidate's share in each step; empty for no rollout; null for the configured steps
 * @param hold the minimum duration of a step; null for the configured duration
 */
public record RolloutRequest(
        @Nullable List<SampleRate> steps, @Nullable Duration hold) {
    /** Requests the configured rollout. */
    public static final RolloutRequest CONFIGURED = new RolloutRequest(null, null);

    /** Requests that the change takes effect without a rollout. */
    public static final RolloutRequest OFF = new RolloutRequest(List.of(), null);

    private static final String SEPARATOR = ";";

    public RolloutRequest {
        steps = steps == null ? null : List.copyOf(steps);
    }

    /**
     * Parses the parameters of a reload request.
     *
     * @param steps {@code off}, or shares such as {@code 1%,10%}; null for the configured steps
     * @param hold a time such as {@code 10s}; null for the configured time
     * @throws IllegalArgumentException if a value is malformed; the message states the expected form
     */
    public static RolloutRequest of(@Nullable String steps, @Nullable String hold) {
        if ("off".equals(steps)) {
            if (hold != null) {
                throw new IllegalArgumentException("hold has no meaning with rollout=off");
            }
            return OFF;
        }
        RolloutRequest request =
                new RolloutRequest(steps == null ? null : shares(steps), hold == null ? null : Durations.parse(hold));
        try {
            request.of(RolloutConfig.DEFAULT);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.key() + ": " + e.expected(), e);
        }
        return request;
    }

    /** Returns {@code configured} with the requested values. Must not be called on {@link #OFF}. */
    public RolloutConfig of(RolloutConfig configured) {
        RolloutConfig stepped = steps == null ? configured : configured.withSteps(steps);
        return hold == null ? stepped : stepped.withHold(hold);
    }

    private static List<SampleRate> shares(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .map(SampleRate::parse)
                .toList();
    }

    /** Returns whether the operator requested the configured rollout without changes. */
    public boolean isConfigured() {
        return steps == null && hold == null;
    }

    public boolean isOff() {
        return steps != null && steps.isEmpty();
    }

    /** Returns this request as a text that {@link #read} parses. */
    public String written() {
        String shares = steps == null
                ? ""
                : isOff() ? "off" : steps.stream().map(SampleRate::toString).collect(Collectors.joining(","));
        return shares + SEPARATOR + (hold == null ? "" : Durations.print(hold));
    }

    /**
     * Parses a text that {@link #written} returned.
     *
     * @throws IllegalArgumentException if the text is malformed
     */
    public static RolloutRequest read(String written) {
        String[] parts = written.split(SEPARATOR, -1);
        if (parts.length != 2) {
            throw new IllegalArgumentException("not a rollout request");
        }
        return of(parts[0].isEmpty() ? null : parts[0], parts[1].isEmpty() ? null : parts[1]);
    }
}
