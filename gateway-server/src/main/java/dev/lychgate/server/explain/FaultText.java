package dev.lychgate.server.explain;

import dev.lychgate.config.FaultScope;
import dev.lychgate.config.SecretNames;
import dev.lychgate.generation.FaultRule;

/** Describes faults to clients that may have no credentials of others. */
public final class FaultText {
    private FaultText() {}

    /** Returns a fault in words; only its name and its end if a predicate may contain a credential. */
    public static String of(FaultRule fault) {
        FaultScope scope = fault.config().scope();
        boolean secret = scope.match().headers().keySet().stream().anyMatch(SecretNames::isSecretField);
        return secret ? fault.name() + ": until " + fault.until() : fault.toString();
    }
}
