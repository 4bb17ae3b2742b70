package dev.lychgate.server.explain;

import dev.lychgate.config.FaultScope;
import dev.lychgate.config.SecretNames;
import dev.lychgate.generation.FaultRule;

/** Describes faults to clients that must not see the credentials of other clients. */
public final class FaultText {
    private FaultText() {}

    /**
     * Returns a fault in words. If a predicate may contain a credential, the words are only the name and the end of the
     * fault.
     */
    public static String of(FaultRule fault) {
        FaultScope scope = fault.config().scope();
        boolean secret = scope.match().headers().keySet().stream().anyMatch(SecretNames::isSecretField);
        return secret ? fault.name() + ": until " + fault.until() : fault.toString();
    }
}
