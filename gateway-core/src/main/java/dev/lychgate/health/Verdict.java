package dev.lychgate.health;

import org.jspecify.annotations.Nullable;

/** What a check has found. @param fault what was wrong, in words of our own; null = nothing */
record Verdict(@Nullable String fault) {
    static final Verdict GOOD = new Verdict(null);

    static Verdict bad(String fault) {
        return new Verdict(fault);
    }
}
