package dev.lychgate.config;

import java.time.DateTimeException;
import java.time.Instant;

/**
 * A fault that the gateway injects for a rehearsal.
 *
 * @param until the end of the rehearsal
 */
public record FaultConfig(String name, FaultScope scope, FaultEffects effects, Instant until) {
    private static final String TIME = "a time such as 2026-12-01T12:00:00Z";

    private static final Key<String> NAME = Key.typed("name", Form.NAMED, "unnamed")
            .required("the name of the fault")
            .unique("a name that no other fault has")
            .about("the name in logs, metrics and on the admin listener");
    private static final Key<Instant> UNTIL = Key.typed("until", Form.text("time", FaultConfig::time), Instant.EPOCH)
            .required(TIME)
            .about(
                    "the end of the rehearsal, in the form of RFC 3339 with the time zone; an expired fault has no effect");

    public FaultConfig {
        NAME.check(name);
    }

    static FaultConfig read(Key.Values values) {
        String name = values.get(NAME);
        FaultScope scope = FaultScope.KEYS.read(values);
        Instant until = values.get(UNTIL);
        // Read last, because FaultEffects refuses a fault without effects.
        return new FaultConfig(name, scope, FaultEffects.KEYS.read(values), until);
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(TIME, e);
        }
    }
}
