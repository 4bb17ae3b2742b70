package dev.lychgate.zuul;

import dev.lychgate.testing.ExtensionTable;
import org.junit.jupiter.api.Test;

/** The settings on docs/zuul.md. */
class ReferenceTest {
    @Test
    void theTableIsWhatTheKeysSay() throws Exception {
        ExtensionTable.requireOn("zuul.md", "zuul", new Zuul());
    }
}
