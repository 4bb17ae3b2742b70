package dev.lychgate.identity;

import dev.lychgate.testing.ExtensionTable;
import org.junit.jupiter.api.Test;

/** The settings on docs/identity.md. */
class ReferenceTest {
    @Test
    void theTableIsWhatTheKeysSay() throws Exception {
        ExtensionTable.requireOn("identity.md", "identity", new IdentityExtension());
    }
}
