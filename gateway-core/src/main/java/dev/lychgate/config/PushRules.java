package dev.lychgate.config;

import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The rules for every receiver to which the gateway posts data, such as metrics or spans. */
final class PushRules {
    /** Describes the accepted URLs, for the message about a URL for which {@link #isReceiver} returns false. */
    static final String RECEIVER = "http://HOST[:PORT]/PATH or https://HOST[:PORT]/PATH, without user information; "
            + "credentials belong in header fields";

    /** The header fields that the HTTP client sets itself. */
    private static final Set<String> NOT_OURS =
            Set.of("connection", "content-encoding", "content-length", "content-type", "expect", "host", "upgrade");

    private PushRules() {}

    /** Returns whether {@code url} is an absolute URL of http or https, without user information and fragment. */
    static boolean isReceiver(URI url) {
        String scheme = String.valueOf(url.getScheme());
        boolean http = scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https");
        return http && url.getHost() != null && url.getRawUserInfo() == null && url.getRawFragment() == null;
    }

    /** Refuses malformed or reserved header fields. The message names the key {@code headers} and contains no value. */
    static void headers(Map<String, String> headers) {
        headers.forEach((name, value) -> {
            Form.FIELD_NAME.check("headers", name);
            Expect.that(
                    !NOT_OURS.contains(name.toLowerCase(Locale.ROOT)),
                    "headers",
                    name,
                    "a header field that the HTTP client does not set itself");
            Expect.that(
                    value.chars().allMatch(c -> c >= 0x20 && c < 0x7f),
                    "headers",
                    "***",
                    "only printable ASCII in the value of the header field " + name);
        });
    }
}
