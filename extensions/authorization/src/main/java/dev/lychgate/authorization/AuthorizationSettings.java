package dev.lychgate.authorization;

import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;

/** The settings in the section {@code extensions.authorization}. */
record AuthorizationSettings(int maxIterations) {
    private static final Key<Integer> MAX_ITERATIONS = Key.number("max-iterations", 1_000)
            .between(1, 100_000)
            .about("the maximum number of iterations of macros such as `exists` in one evaluation of an expression,"
                    + " including iterations of nested macros; if an evaluation needs more iterations, the request is"
                    + " denied");

    static final Keys<AuthorizationSettings> KEYS = Keys.of(AuthorizationSettings::new, MAX_ITERATIONS);
}
