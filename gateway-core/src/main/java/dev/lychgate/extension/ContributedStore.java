package dev.lychgate.extension;

import dev.lychgate.config.Keys;
import dev.lychgate.fleet.FleetStore;

/**
 * A kind of fleet store that an extension contributes. The section {@code fleet.store} of the configuration names the
 * store as {@code name: { settings }}. A configuration that uses only the store of the extension needs no section
 * {@code extensions.NAME}.
 *
 * @param name the name in the configuration, such as {@code postgresql}
 * @param about one sentence in Markdown, without an initial capital and without a full stop
 * @param keys the settings; no key may have a nested section as its value
 * @param opener opens the store
 * @param <S> the record of the settings; its constructor validates the values
 */
public record ContributedStore<S>(String name, String about, Keys<S> keys, Opener<S> opener) {
    /** Opens a store. */
    public interface Opener<S> {
        /**
         * Returns a new store, which the caller closes. This method must not send a request, because a node must be
         * able to start while its store does not respond.
         *
         * @param space the name of the space, which may end with {@code /doctor}
         * @throws dev.lychgate.config.ConfigException if a value is refused; the key of the exception is the name of
         *     the setting
         * @throws Exception if the store cannot do its work
         */
        FleetStore open(S settings, String space) throws Exception;
    }
}
