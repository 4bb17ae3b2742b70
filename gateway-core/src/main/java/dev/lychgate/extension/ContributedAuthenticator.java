package dev.lychgate.extension;

import dev.lychgate.config.Keys;
import dev.lychgate.filter.Authenticator;

/**
 * A kind of authenticator that an extension contributes. A section {@code authenticate} of the configuration lists the
 * authenticator as {@code name: { settings }}.
 *
 * @param name the name in the configuration, such as {@code jwt}
 * @param about one sentence in Markdown, without an initial capital and without a full stop
 * @param keys the settings; no key may have a nested section as its value
 * @param maker creates the authenticator
 * @param <O> the object that {@link Extension#open} returned
 * @param <F> the record of the settings; its constructor validates the values
 */
public record ContributedAuthenticator<O, F>(String name, String about, Keys<F> keys, Maker<O, F> maker) {
    /** Creates an authenticator for one entry in the configuration. */
    public interface Maker<O, F> {
        /**
         * Returns a new authenticator. If the authenticator is an {@link AutoCloseable}, the gateway closes it after
         * the last exchange of its generation.
         *
         * @param name the name of the authenticator in the configuration, for logs
         * @throws dev.lychgate.config.ConfigException if a value is refused; the key of the exception is the name of
         *     the setting
         * @throws Exception if the authenticator cannot do its work; the generation is refused
         */
        Authenticator make(O opened, F settings, String name) throws Exception;
    }
}
