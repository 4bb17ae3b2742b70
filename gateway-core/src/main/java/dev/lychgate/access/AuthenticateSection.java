package dev.lychgate.access;

import dev.lychgate.config.AuthenticateConfig;
import dev.lychgate.filter.Authenticator;
import java.util.List;

/**
 * One section of the configuration that authenticates requests, with its authenticators. Immutable.
 *
 * @param config the settings of the section
 * @param authenticators the authenticators, in the order in which they search for credentials; empty if the section
 *     disables authentication
 */
public record AuthenticateSection(AuthenticateConfig config, List<Named> authenticators) {
    /**
     * An authenticator with its name.
     *
     * @param name the name of the authenticator in the configuration, such as {@code jwt}
     */
    public record Named(String name, Authenticator authenticator) {}

    public AuthenticateSection {
        authenticators = List.copyOf(authenticators);
    }
}
