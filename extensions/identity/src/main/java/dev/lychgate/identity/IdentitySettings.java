package dev.lychgate.identity;

import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;

/** The settings in the section {@code extensions.identity}. */
record IdentitySettings(int threads, int queue, int rememberedTokens) {
    private static final Key<Integer> THREADS = Key.number("threads", 2)
            .between(1, 256)
            .about("the maximum number of threads that verify credentials at the same time; the threads exist only"
                    + " while they are needed");
    private static final Key<Integer> QUEUE = Key.number("queue", 1_000)
            .between(1, 100_000)
            .about("the maximum number of requests that wait for a free thread; if the queue is full, a request with"
                    + " new credentials is rejected with 503");
    private static final Key<Integer> REMEMBERED_TOKENS = Key.number("remembered-tokens", 10_000)
            .between(0, 1_000_000)
            .about("the maximum number of accepted tokens that each authenticator remembers, rounded up to an even"
                    + " number; a remembered token is not verified again until it expires, for at most 5"
                    + " minutes; 0 = none");

    static final Keys<IdentitySettings> KEYS = Keys.of(IdentitySettings::new, THREADS, QUEUE, REMEMBERED_TOKENS);
}
