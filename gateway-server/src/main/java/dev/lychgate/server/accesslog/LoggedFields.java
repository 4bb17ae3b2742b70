package dev.lychgate.server.accesslog;

import dev.lychgate.config.KnownSecrets;
import dev.lychgate.config.LoggedHeaders;
import dev.lychgate.http.Redaction;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Copies the logged header fields, because heads do not outlive the exchange. Immutable and thread-safe. */
final class LoggedFields {
    /** The length to which longer values are truncated, because a queue full of values must fit into memory. */
    static final int LONGEST = 256;

    private final String[] request;
    private final String[] response;
    private final Redaction redaction;

    /** The copied fields of a request and its response. */
    record Copied(Values request, Values response) {}

    /** The copied fields of one head, in the order of the configuration. The arrays must not be modified. */
    static final class Values {
        private final String[] names;
        private final @Nullable String[] values;

        private Values(String[] names, @Nullable String[] values) {
            this.names = names;
            this.values = values;
        }

        /** Writes the members of a JSON object. Returns whether at least one member was written. */
        boolean append(LineBuffer line) {
            boolean any = false;
            for (int i = 0; i < names.length; i++) {
                String value = values[i];
                if (value != null) {
                    line.append(any ? ",\"" : "\"").append(names[i]).append("\":\"");
                    Escapes.json(line, value);
                    line.append('"');
                    any = true;
                }
            }
            return any;
        }
    }

    /** @param redaction masks sensitive values before they are copied */
    LoggedFields(LoggedHeaders config, Redaction redaction) {
        this.request = names(config.request());
        this.response = names(config.response());
        this.redaction = redaction;
    }

    private static String[] names(List<String> names) {
        // Field names contain no character that JSON escapes.
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toArray(String[]::new);
    }

    /**
     * Copies the configured fields. To be called on the event loop that owns the heads.
     *
     * @return the copies; null if no fields are configured
     */
    @Nullable
    Copied copy(@Nullable HttpHeaders ofRequest, @Nullable HttpHeaders ofResponse) {
        if (request.length == 0 && response.length == 0) {
            return null;
        }
        return new Copied(values(request, ofRequest), values(response, ofResponse));
    }

    private Values values(String[] names, @Nullable HttpHeaders headers) {
        @Nullable String[] values = new String[names.length];
        for (int i = 0; i < names.length && headers != null; i++) {
            List<String> all = headers.getAll(names[i]);
            if (!all.isEmpty()) {
                // A filter may have set the field to a secret of the configuration.
                String value = KnownSecrets.OF_PROCESS.hide(redaction.field(names[i], all));
                values[i] = AccessRecord.cut(value, LONGEST);
            }
        }
        return new Values(names, values);
    }
}
