package dev.lychgate.extension;

import dev.lychgate.filter.Filter;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Supports filters in the filter directory that were written for another gateway. The class of such a filter extends a
 * class of the dialect instead of a class of the filter API. The gateway compiles these classes with dynamic types,
 * into the same generation as all other files of the directory.
 *
 * <p>All methods are called on threads that may block. The implementation is thread-safe.
 */
public interface FilterDialect {
    /**
     * Returns the prefixes of the names of classes that files may use, such as {@code com.example.gateway.}. The
     * classes come from the loader of this object.
     */
    List<String> packages();

    /** Returns whether classes that extend the class {@code className} are filters of this dialect. */
    boolean isBase(String className);

    /**
     * Returns whether a file uses the dialect. Files that do not use the dialect are compiled without dynamic types.
     */
    default boolean isIn(String text) {
        return packages().stream().anyMatch(text::contains);
    }

    /**
     * Returns the text that is compiled in place of {@code text}. Line numbers must not change. Default: {@code text}.
     */
    default String prepared(String text) {
        return text;
    }

    /**
     * Returns the names of annotations that mark nested classes as tests. These classes are not compiled. Default:
     * none.
     */
    default List<String> testAnnotations() {
        return List.of();
    }

    /**
     * Returns the reason why the gateway does not load a file, or null if the gateway loads it. A file is not loaded if
     * the gateway itself provides the function of its filter.
     *
     * @param file the path below the filter directory
     */
    default @Nullable String leftOut(String file, String text) {
        return null;
    }

    /** Returns the advice for a file that refers to a class that does not exist; null if there is no advice. */
    default @Nullable String remedy(String className) {
        return null;
    }

    /** Begins a generation. */
    Generation begin();

    /** The filters of one generation. Used by the thread that builds the generation. */
    interface Generation {
        /**
         * Creates the filter of a class.
         *
         * @return the gateway's filters that run the filter of the class; empty if no phase runs it
         * @throws Refusal if the class is refused
         * @throws Exception if the code of the filter throws it
         */
        List<Filter> add(Code code) throws Exception;

        /**
         * Adds a filter that the embedding program has created. Default: not supported.
         *
         * @param code the class of the filter; {@link Code#file} is the name of this class
         * @return the gateway's filters that run the filter; empty if no phase runs it
         * @throws Refusal if the filter is refused
         * @throws Exception if the code of the filter throws it
         */
        default List<Filter> adopt(Object filter, Code code) throws Exception {
            throw new Refusal(0, "the dialect does not support filters that the program has created");
        }

        /**
         * Returns additional filters, which all filters of this generation need. Called after all classes were added.
         */
        List<Filter> complete();
    }

    /**
     * The class of a filter.
     *
     * @param file the path below the filter directory
     * @param byteCode returns the byte code of the class with a given name; null if no file of the filter directory
     *     contains this class
     */
    record Code(Class<?> type, String file, Function<String, byte @Nullable []> byteCode) {}

    /** Thrown if a class is refused. */
    final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        private final int line;

        /**
         * Creates a refusal.
         *
         * @param line the line in the file, from 1; 0 if it is unknown
         */
        public Refusal(int line, String message) {
            super(message);
            this.line = line;
        }

        /** Returns the line in the file, from 1; 0 if it is unknown. */
        public int line() {
            return line;
        }
    }
}
