package dev.lychgate.extension;

import dev.lychgate.filter.Filter;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Supports filters in the filter directory that were written for another gateway. The classes of these filters extend a
 * class of the dialect in place of a class of the filter API. They are compiled together with the other files, with
 * dynamic types, and belong to the same generation. All methods are called on threads that may block. The
 * implementation is thread-safe.
 */
public interface FilterDialect {
    /**
     * Returns the prefixes of the names of classes that files may use, such as {@code com.example.gateway.}. The classes come
     * from the loader of this object.
     */
    List<String> packages();

    /** Returns whether classes that extend the class {@code className} are filters of this dialect. */
    boolean isBase(String className);

    /** Returns whether a file uses the dialect. Only these files are compiled with dynamic types. */
    default boolean isIn(String text) {
        return packages().stream().anyMatch(text::contains);
    }

    /** Returns the text that is compiled in place of {@code text}, with the same lines. Default: the same text. */
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
     * Returns the reason why a file is not loaded, because the gateway itself provides the function of its filter; null
     * if the file is loaded.
     *
     * @param file the path below the filter directory
     */
    default @Nullable String leftOut(String file, String text) {
        return null;
    }

    /** Returns the advice for a file that refers to a class that does not exist; null if there is none. */
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
         * Adds a filter that the program has created. Default: not supported.
         *
         * @param code the class of the filter; its file names the program in messages
         * @return the gateway's filters that run the filter; empty if no phase runs it
         * @throws Refusal if the filter is refused
         * @throws Exception if the code of the filter throws it
         */
        default List<Filter> adopt(Object filter, Code code) throws Exception {
            throw new Refusal(0, "the dialect has no filters of the program");
        }

        /** Returns the filters that the filters of all classes need in common. Called after all classes were added. */
        List<Filter> complete();
    }

    /**
     * The class of a filter.
     *
     * @param file the path below the filter directory
     * @param byteCode returns the byte code of a class in the files, by its name; null for other classes
     */
    record Code(Class<?> type, String file, Function<String, byte @Nullable []> byteCode) {}

    /** Thrown if a class is refused. */
    final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        private final int line;

        /** @param line the line in the file, from 1; 0 if it is unknown */
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
