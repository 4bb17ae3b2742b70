package dev.lychgate.zuul;

import dev.lychgate.testing.ExtensionTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The settings on docs/zuul.md. */
@Tag("any-jdk")
class ReferenceTest {
    @Test
    void theTableIsWhatTheKeysSay() throws Exception {
        ExtensionTable.requireOn("zuul.md", "zuul", new Zuul());
    }
}
