package dev.lychgate.authorization;

import dev.lychgate.testing.ExtensionTable;
import org.junit.jupiter.api.Test;

/** The settings on docs/authorization.md. */
class ReferenceTest {
    @Test
    void theTableIsWhatTheKeysSay() throws Exception {
        ExtensionTable.requireOn("authorization.md", "authorization", new Authorization());
    }
}
