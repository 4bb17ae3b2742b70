package dev.lychgate.identity;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.Redaction;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@code api-key}.
 *
 * @param header the name of the request field; null if keys are not accepted in a field
 * @param cookie the name of the cookie; null if keys are not accepted in a cookie
 * @param query the name of the query parameter; null if keys are not accepted in the query
 */
record ApiKeySettings(
        String file,
        @Nullable String header,
        @Nullable String cookie,
        @Nullable String query,
        boolean forward) {
    private static final String USUAL_HEADER = "x-api-key";
    /**
     * Fields that contain credentials, but not API keys. Other authenticators or the setting {@code cookie} read these
     * fields.
     */
    private static final Set<String> OTHERS = Set.of("authorization", "proxy-authorization", "cookie");

    private static final Key<String> FILE = Key.file("file")
            .required("the path of a file of keys")
            .about("the file with the digests of the keys, as a path relative to the configuration file; a saved change"
                    + " takes effect at once");
    private static final Key<String> HEADER = Key.typed("header", Form.FIELD_NAME, null)
            .absent("`x-api-key` if neither `cookie` nor `query` is set")
            .about("the name of the request field with the key");
    private static final Key<String> COOKIE =
            Key.typed("cookie", Form.COOKIE_NAME, null).absent("none").about("the name of the cookie with the key");
    private static final Key<String> QUERY = Key.typed("query", Form.TEXT, null)
            .absent("none")
            .about("the name of the query parameter with the key; the parameter is removed from the request. The name"
                    + " must be a name that [logs mask](access-log.md) by default, such as `api_key`");
    private static final Key<Boolean> FORWARD = Key.flag("forward", false)
            .about("whether the origin receives the key in the field or the cookie; the origin never receives the query"
                    + " parameter");

    static final Keys<ApiKeySettings> KEYS = Keys.of(ApiKeySettings::new, FILE, HEADER, COOKIE, QUERY, FORWARD);

    ApiKeySettings {
        header = header == null && cookie == null && query == null ? USUAL_HEADER : header;
        if (header != null && (OTHERS.contains(header.toLowerCase(Locale.ROOT)) || !FieldSyntax.isSettable(header))) {
            throw new ConfigException("header", header, "a field for API keys alone, such as " + USUAL_HEADER);
        }
        if (query != null && !isMasked(query)) {
            throw new ConfigException(
                    "query", query, "a parameter that logs mask by default, such as api_key, apikey or token");
        }
    }

    private static boolean isMasked(String parameter) {
        return parameter.matches("[A-Za-z0-9_.-]+")
                && !(parameter + "=key").equals(Redaction.USUAL.query(parameter + "=key"));
    }
}
