package dev.lychgate.config;

import java.util.List;

/**
 * The names of the values that are masked in the access log and in filter traces. The case of names is ignored. A
 * configured list replaces the default list.
 */
public record RedactConfig(List<String> headers, List<String> query) {
    /** The header fields with credentials, which are masked by default. */
    public static final List<String> USUAL_HEADERS =
            List.of("authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key");

    /**
     * The query parameters with credentials, which are masked by default: parameters of OAuth, OpenID Connect and
     * signed URLs, and usual names of API keys.
     */
    public static final List<String> USUAL_QUERY = List.of(
            "access_token",
            "refresh_token",
            "id_token",
            "token",
            "code",
            "code_verifier",
            "assertion",
            "samlresponse",
            "client_secret",
            "secret",
            "password",
            "passwd",
            "pwd",
            "api_key",
            "apikey",
            "jwt",
            "sig",
            "signature",
            "awsaccesskeyid",
            "x-amz-signature",
            "x-amz-credential",
            "x-amz-security-token",
            "x-goog-signature",
            "x-goog-credential");

    private static final Key<List<String>> HEADERS = Key.typed("headers", Form.list(Form.FIELD_NAME), USUAL_HEADERS)
            .atMost(64)
            .about("the header fields to mask, in place of the defaults");

    private static final Key<List<String>> QUERY = Key.typed(
                    "query",
                    Form.list(Form.TEXT.matching(
                            "[!-~]{1,128}", "the name of a parameter, decoded, in ASCII without blanks")),
                    USUAL_QUERY)
            .atMost(64)
            .about("the query parameters to mask, by their decoded names, in place of the defaults");

    static final Keys<RedactConfig> KEYS = Keys.of(RedactConfig::new, HEADERS, QUERY);

    public static final RedactConfig DEFAULT = KEYS.defaults();

    public RedactConfig {
        KEYS.check(headers, query);
        headers = Expect.copy(headers);
        query = Expect.copy(query);
    }
}
