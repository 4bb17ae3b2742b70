package dev.lychgate.authorization;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a check by a service. Immutable. */
sealed interface Verdict {
    /**
     * The request may continue.
     *
     * @param fields the request fields to set, each with all of its values
     * @param removed the names of the request fields to remove
     */
    record Allowed(Map<String, List<String>> fields, List<String> removed) implements Verdict {
        public Allowed {
            fields = Map.copyOf(fields);
            removed = List.copyOf(removed);
        }
    }

    /**
     * The request is rejected.
     *
     * @param status 200 to 599
     * @param fields the response fields, in order
     * @param type the media type of the body; null if the service names none
     * @param body the body, which must not be modified; empty if there is no body
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Denied(
            int status,
            List<Map.Entry<String, String>> fields,
            @Nullable String type,
            byte[] body) implements Verdict {
        public Denied {
            fields = List.copyOf(fields);
        }

        /**
         * Returns whether other clients may receive the same denial. A cookie and the state in a redirect are for one
         * client only.
         */
        boolean isShared() {
            return fields.stream()
                    .noneMatch(field -> field.getKey().equalsIgnoreCase("set-cookie")
                            || field.getKey().equalsIgnoreCase("location"));
        }
    }

    /**
     * There is no verdict.
     *
     * @param reason the reason as text, for the log
     */
    record Missing(String reason) implements Verdict {}
}
