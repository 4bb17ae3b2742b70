package dev.lychgate.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.ExtensionTable;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The settings and the tables on docs/postgresql.md. */
class ReferenceTest {
    @Test
    void containsTheKeysOfTheSettings() throws Exception {
        ExtensionTable.requireOn("postgresql.md", "postgresql", new Postgresql());
    }

    @Test
    void containsTheStatementsThatCreateTheTables() throws Exception {
        String page = Files.readString(Path.of("../../docs/postgresql.md")).replaceAll("\\s+", " ");
        for (String statement : new StoreTables("lychgate").statements()) {
            if (statement.startsWith("CREATE")) {
                assertThat(page)
                        .contains(statement.replace("IF NOT EXISTS ", "").replace("\"", "") + ";");
            }
        }
    }
}
