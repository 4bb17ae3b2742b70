package dev.lychgate.server.recording;

import dev.lychgate.config.KnownSecrets;
import dev.lychgate.config.RedactConfig;
import dev.lychgate.config.SecretNames;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.http.Redaction;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The configured rules by which values in recordings are masked. The fields and parameters of
 * {@link RedactConfig#USUAL_HEADERS} and {@link RedactConfig#USUAL_QUERY} are always masked. The same applies to names
 * that suggest a secret, by the rules of {@code /config}. Immutable; each exchange has a {@link Scope}.
 */
public final class RecordingRedaction {
    private final Redaction redaction;
    private final JsonRedaction json;

    /**
     * @param headers names of header fields to mask, in addition to the fields that are always masked
     * @param query names of query and form parameters to mask, in addition to the parameters that are always masked
     * @param json paths of members of JSON bodies: {@code $.card}, {@code $.items[*].key}, {@code $..pin}
     */
    public RecordingRedaction(List<String> headers, List<String> query, List<String> json) {
        this.redaction = new Redaction(
                new RedactConfig(union(RedactConfig.USUAL_HEADERS, headers), union(RedactConfig.USUAL_QUERY, query)));
        this.json = new JsonRedaction(json);
    }

    private static List<String> union(List<String> usual, List<String> more) {
        Set<String> all = new LinkedHashSet<>();
        usual.forEach(name -> all.add(name.toLowerCase(Locale.ROOT)));
        more.forEach(name -> all.add(name.toLowerCase(Locale.ROOT)));
        return List.copyOf(all);
    }

    /** Begins the redaction of one exchange. */
    Scope scope() {
        return new Scope();
    }

    /**
     * The redaction of one exchange. A secret value is masked in all places of the exchange. For example, a filter may
     * copy a token to another field, or an origin may repeat a token in a body. Therefore, all values must be collected
     * before the first text is masked. Used by one thread.
     */
    final class Scope {
        private final MaskedValues values = new MaskedValues();
        private final Set<String> masked = new TreeSet<>();
        private int members;

        /** Returns the names of masked fields, parameters and members. */
        List<String> masked() {
            return List.copyOf(masked);
        }

        private boolean hides(String field) {
            return redaction.hides(field) || SecretNames.isSecretField(field);
        }

        /**
         * Collects the value of a secret field. From any other field, collects the secret parameters of a URL in its
         * value.
         */
        void collect(String field, String value) {
            if (hides(field)) {
                masked.add(field.toLowerCase(Locale.ROOT));
                secret(value);
                if (value.regionMatches(true, 0, "basic ", 0, 6)) {
                    basic(value.substring(6).strip());
                }
                // The first loop collects credentials that follow a scheme. The second loop collects the values of
                // cookies in the form that filters get.
                for (String part : value.split("[ \t;,]+", -1)) {
                    named(part);
                }
                for (String cookie : value.split(";", -1)) {
                    named(cookie.trim());
                }
            } else {
                collectUrl(value);
            }
        }

        /**
         * Collects a part of a field value. If the part has the form {@code name=value}, also collects the value, with
         * and without quotation marks.
         */
        private void named(String part) {
            secret(part);
            String value = part.substring(part.indexOf('=') + 1).trim();
            secret(value);
            int from = value.startsWith("\"") ? 1 : 0;
            int to = value.endsWith("\"") ? value.length() - 1 : value.length();
            secret(value.substring(Math.min(from, to), to));
        }

        private void basic(String encoded) {
            try {
                String pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
                secret(pair);
                secret(pair.substring(pair.indexOf(':') + 1));
            } catch (IllegalArgumentException e) {
                // The text is not base64. The field value itself is collected anyway.
            }
        }

        /** Collects the values of secret parameters. */
        void collectQuery(@Nullable String query) {
            if (query != null) {
                parameters("?" + query);
            }
        }

        private void collectUrl(String text) {
            if (text.indexOf('?') >= 0 || text.indexOf('#') >= 0) {
                parameters(text);
            }
        }

        /**
         * Collects the secret parameters of a text. A parameter is secret if the redaction changes it, or if its name
         * suggests a secret.
         */
        private void parameters(String text) {
            for (String pair : text.split("&", -1)) {
                parameter(pair);
                // A pair may begin with a URL, and some servers also accept semicolons between parameters.
                String[] parts = pair.split("[?;#]", -1);
                for (int i = 0; i < parts.length && parts.length > 1; i++) {
                    parameter(parts[i]);
                }
            }
        }

        private void parameter(String pair) {
            int equals = pair.indexOf('=');
            if (equals > 0 && isSecretParameter(pair)) {
                String name = pair.substring(0, equals).toLowerCase(Locale.ROOT);
                masked.add(name.replaceFirst(".*[?;#]", ""));
                String value = pair.substring(equals + 1);
                secret(value);
                // A plus sign means a space in forms and queries, but some origins keep it. Both values are collected.
                for (String spelling : List.of(value, value.replace("+", "%2B"))) {
                    QueryParameters.of("value=" + spelling, "value").forEach(this::secret);
                }
            }
        }

        private boolean isSecretParameter(String pair) {
            String name = decoded(pair.substring(0, pair.indexOf('=')));
            return !pair.equals(redaction.query(pair)) || SecretNames.isSecret(name);
        }

        private static String decoded(String text) {
            try {
                return URLDecoder.decode(text, StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                return text;
            }
        }

        private void secret(String value) {
            values.add(value);
        }

        /**
         * Collects a masked member of a JSON body.
         *
         * @param value the value; null for an object or array
         */
        void maskedMember(String name, @Nullable String value) {
            masked.add(name);
            members++;
            if (value != null) {
                secret(value);
            }
        }

        /** Returns the number of JSON members that were masked so far. */
        int maskedMembers() {
            return members;
        }

        JsonRedaction json() {
            return json;
        }

        // ---- masking

        /** Returns the value of a field with all secrets masked. */
        String field(String name, String value) {
            return hides(name) ? Redaction.MASK : text(url(value));
        }

        @Nullable
        String query(@Nullable String query) {
            return query == null ? null : text(form(query));
        }

        /** Masks the parameters of a form or a query. */
        String form(String text) {
            String once = redaction.query(text);
            List<String> pairs = new ArrayList<>();
            for (String pair : (once == null ? text : once).split("&", -1)) {
                int equals = pair.indexOf('=');
                boolean secret = equals > 0 && SecretNames.isSecret(decoded(pair.substring(0, equals)));
                pairs.add(secret ? pair.substring(0, equals + 1) + Redaction.MASK : pair);
            }
            return String.join("&", pairs);
        }

        private String url(String value) {
            String once = redaction.url(SecretNames.withoutUserInfo(value));
            int question = once.indexOf('?');
            return question < 0 ? once : once.substring(0, question + 1) + form(once.substring(question + 1));
        }

        /** Masks all collected values in a text. */
        String text(String text) {
            return KnownSecrets.OF_PROCESS.hide(values.maskText(text));
        }

        /** Works like {@link #text} for UTF-8 text in which each character stands for one byte. */
        String bytes(String bytes) {
            return KnownSecrets.OF_PROCESS.hide(values.maskBytes(bytes));
        }
    }
}
