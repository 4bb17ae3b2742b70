package dev.lychgate.oidc;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings in the section {@code extensions.oidc}.
 *
 * @param caFile null for the authorities of the JDK
 * @param proxy null for direct connections
 */
record OidcSettings(
        List<String> sessionKeys,
        int sessionCookies,
        int endedSessions,
        int waiting,
        Duration timeout,
        Duration metadataLifetime,
        @Nullable String caFile,
        @Nullable String proxy) {
    private static final Form<String> SESSION_KEY =
            Form.SECRET.matching("(?s).{32,4096}", "32 to 4096 random characters");

    private static final Key<List<String>> SESSION_KEYS = Key.typed(
                    "session-keys", Form.oneOrList(SESSION_KEY), List.of("no session key is configured here"))
            .required("a reference to a random text, such as ${file:secrets/session-key}")
            .about("the [keys](#session-keys) of the cookies, as references to secrets: the first key encrypts, and"
                    + " every key decrypts");
    private static final Key<Integer> SESSION_COOKIES = Key.number("session-cookies", 4)
            .between(1, 8)
            .about("the maximum number of cookies for one session, of 3,800 characters"
                    + " each; a login with a larger session fails");
    private static final Key<Integer> ENDED_SESSIONS = Key.number("ended-sessions", 100_000)
            .between(1, 1_000_000)
            .about("the maximum number of ended sessions that are remembered; beyond this number, the oldest ended"
                    + " sessions are dropped");
    private static final Key<Integer> WAITING = Key.number("waiting", 1_000)
            .between(1, 100_000)
            .about("the maximum number of requests that wait for a login, a renewal or a logout at the same time;"
                    + " further requests are rejected with 503");
    private static final Key<Duration> TIMEOUT = Key.duration("timeout", "3s")
            .between("100ms", "30s")
            .about("the timeout of a request to a provider, from the connection to the last byte of the response");
    private static final Key<Duration> METADATA_LIFETIME = Key.duration("metadata-lifetime", "1h")
            .between("1m", "168h")
            .about("the age at which the discovery document and the keys of a provider are fetched again");
    private static final Key<String> CA_FILE = Key.file("ca-file")
            .absent("the JDK's")
            .about("the file with the authorities of the providers' certificates, in PEM");
    private static final Key<String> PROXY = Key.text("proxy")
            .matching("[A-Za-z0-9.-]{1,253}:[0-9]{1,5}", "host:port")
            .absent("direct connections")
            .called("host:port")
            .about("the HTTP proxy for requests to providers");

    static final Keys<OidcSettings> KEYS = Keys.of(
            OidcSettings::new,
            SESSION_KEYS,
            SESSION_COOKIES,
            ENDED_SESSIONS,
            WAITING,
            TIMEOUT,
            METADATA_LIFETIME,
            CA_FILE,
            PROXY);

    OidcSettings {
        sessionKeys = List.copyOf(sessionKeys);
        if (sessionKeys.isEmpty()) {
            throw new ConfigException("session-keys", "[]", "at least one key");
        }
    }

    /** Omits the keys. */
    @Override
    public String toString() {
        return "OidcSettings[sessionKeys=***]";
    }
}
