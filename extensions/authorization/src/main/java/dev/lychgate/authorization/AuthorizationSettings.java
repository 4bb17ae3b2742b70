package dev.lychgate.authorization;

import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;

/** The settings in the section {@code extensions.authorization}. */
record AuthorizationSettings(int maxIterations) {
    private static final Key<Integer> MAX_ITERATIONS = Key.number("max-iterations", 1_000)
            .between(1, 100_000)
            .about("the most iterations of macros such as `exists` in one evaluation of an expression, nested ones"
                    + " included; an evaluation with more iterations is an error, and errors deny");

    static final Keys<AuthorizationSettings> KEYS = Keys.of(AuthorizationSettings::new, MAX_ITERATIONS);
}
