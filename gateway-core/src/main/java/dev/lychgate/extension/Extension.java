package dev.lychgate.extension;

import dev.lychgate.config.Keys;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An extension of the gateway. The manifest of the extension's jar names the implementing class, which has a public
 * constructor without parameters. When a configuration uses the extension, the gateway creates one object of this class
 * for each version of the jar. The gateway calls this object on threads that may block, and never on an event loop.
 *
 * @param <S> the record of the section {@code extensions.NAME}; its constructor validates the values
 * @param <O> the object that all filters of the extension share in one generation
 */
public interface Extension<S, O> {
    /** The version of this API. A jar for another version is refused. */
    int API = 1;

    /** Returns the keys of the section {@code extensions.NAME}. No key may have a nested section as its value. */
    Keys<S> keys();

    /**
     * Returns the filters of this extension. While the extension is in use, the configuration may list these filters.
     */
    List<ContributedFilter<O, ?>> filters();

    /**
     * Returns the authenticators of this extension. While the extension is in use, the sections {@code authenticate} of
     * the configuration may list these authenticators. Default: none.
     */
    default List<ContributedAuthenticator<O, ?>> authenticators() {
        return List.of();
    }

    /**
     * Returns the authorizers of this extension. While the extension is in use, the lists {@code authorize} of the
     * configuration may contain these authorizers. An authorizer is an {@link dev.lychgate.filter.InboundFilter} that
     * lets a request continue or responds with 403. Default: none.
     */
    default List<ContributedFilter<O, ?>> authorizers() {
        return List.of();
    }

    /**
     * Returns the kinds of fleet stores that this extension contributes. The section {@code fleet.store} of the
     * configuration may name these stores, even if the extension has no section. Default: none.
     */
    default List<ContributedStore<?>> stores() {
        return List.of();
    }

    /**
     * Returns the dialect for files of the filter directory; null, the default, if the extension has no dialect. Files
     * may use the dialect while the extension is in use. Only one extension in use may have a dialect. Called before
     * {@link #open}.
     *
     * @throws dev.lychgate.config.ConfigException if a value is refused; the key of the exception is the name of the
     *     key in the section
     */
    default @Nullable FilterDialect dialect(S settings) {
        return null;
    }

    /**
     * Creates the shared object for a new generation, such as a client of another system. If the object is an
     * {@link AutoCloseable}, it is closed after the last exchange that may use a filter of the extension, or when the
     * gateway stops.
     *
     * @throws dev.lychgate.config.ConfigException if a value is refused; the key of the exception is the name of the
     *     key in the section
     * @throws Exception if the extension cannot do its work; the generation is refused
     */
    O open(S settings) throws Exception;
}
