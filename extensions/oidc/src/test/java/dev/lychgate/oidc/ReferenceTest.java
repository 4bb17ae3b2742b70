package dev.lychgate.oidc;

import dev.lychgate.testing.ExtensionTable;
import org.junit.jupiter.api.Test;

/** The settings on docs/oidc.md. */
class ReferenceTest {
    @Test
    void theTableIsWhatTheKeysSay() throws Exception {
        ExtensionTable.requireOn("oidc.md", "oidc", new OidcExtension());
    }
}
