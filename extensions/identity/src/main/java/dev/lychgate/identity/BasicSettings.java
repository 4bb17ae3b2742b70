package dev.lychgate.identity;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import java.time.Duration;

/** The settings of {@code basic}. */
record BasicSettings(String file, String realm, Duration remember, boolean forward, int threads, int queue) {
    private static final Key<String> FILE = Key.file("file")
            .required("the path of a file of users")
            .about("the file with the users and the hashes of their passwords, as a path relative to the configuration"
                    + " file; a saved change takes effect at once");
    private static final Key<String> REALM =
            Key.typed("realm", Form.TEXT, "lychgate").about("the realm of the challenge, which browsers show");
    private static final Key<Duration> REMEMBER = Key.duration("remember", "1m")
            .atMost("10m")
            .about("the time for which accepted credentials are not verified again; 0 = the credentials of each request"
                    + " are verified");
    private static final Key<Boolean> FORWARD =
            Key.flag("forward", false).about("whether the origin receives the credentials");
    private static final Key<Integer> THREADS = Key.number("threads", 2)
            .between(1, 64)
            .about("the maximum number of threads that compute hashes at the same time; the threads exist only while"
                    + " they are needed");
    private static final Key<Integer> QUEUE = Key.number("queue", 32)
            .between(1, 10_000)
            .about("the maximum number of requests that wait for a free thread; if the queue is full, a request is"
                    + " rejected with 503");

    static final Keys<BasicSettings> KEYS = Keys.of(BasicSettings::new, FILE, REALM, REMEMBER, FORWARD, THREADS, QUEUE);

    BasicSettings {
        if (!realm.matches("[ !#-\\[\\]-~]{1,128}")) {
            throw new ConfigException("realm", realm, "1 to 128 characters of ASCII without quotes and backslashes");
        }
    }
}
