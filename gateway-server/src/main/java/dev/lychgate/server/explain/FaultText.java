package dev.lychgate.server.explain;

import dev.lychgate.config.FaultScope;
import dev.lychgate.config.SecretNames;
import dev.lychgate.generation.FaultRule;

/** Describes injected faults to operators without showing credentials of clients. */
public final class FaultText {
    private FaultText() {}

    /**
     * Returns a fault in words. If a predicate may contain a credential, the text has only the name of the fault and
     * the time at which it ends.
     */
    public static String of(FaultRule fault) {
        FaultScope scope = fault.config().scope();
        boolean secret = scope.match().headers().keySet().stream().anyMatch(SecretNames::isSecretField);
        return secret ? fault.name() + ": until " + fault.until() : fault.toString();
    }
}
