package dev.lychgate.config;

import java.util.List;

/**
 * Whose values stand in no log: not in the access log, nor in what is traced of filters. Names are compared without regard to
 * case. What is listed takes the place of the defaults.
 *
 * @param headers header fields
 * @param query parameters of queries
 */
public record RedactConfig(List<String> headers, List<String> query) {
    private static final int MOST = 64;

    /** Fields that prove who somebody is. */
    public static final List<String> USUAL_HEADERS =
            List.of("authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key");

    /** Parameters that let in whoever has them: of OAuth and OpenID Connect, of signed URLs, and what keys are called. */
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

    public static final RedactConfig DEFAULT = new RedactConfig(USUAL_HEADERS, USUAL_QUERY);

    public RedactConfig {
        headers = Expect.copy(headers);
        query = Expect.copy(query);
        Expect.that(headers.size() <= MOST, "headers", headers.size() + " names", "at most " + MOST);
        Expect.that(query.size() <= MOST, "query", query.size() + " names", "at most " + MOST);
        headers.forEach(name -> Expect.fieldName("headers", name));
        query.forEach(name -> Expect.that(
                name.matches("[!-~]{1,128}"),
                "query",
                name,
                "the name of a parameter, decoded, in ASCII without blanks"));
    }
}
