package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The schema and the tables of the reference page match the declared keys. With {@code -Dlychgate.generate=true} they are
 * written instead of compared.
 */
class GeneratedReferenceTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String HINT = "is generated: run the command of CONTRIBUTING.md, Configuration keys";

    @Test
    void theSchemaMatchesTheKeys() throws IOException {
        String schema = new ObjectMapper()
                        .writer(new Indented())
                        .writeValueAsString(new KeySchema(ConfigReader.survey()).schema())
                + "\n";

        isGenerated("config/gateway.schema.json", schema);
    }

    @Test
    void theTablesMatchTheKeys() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/configuration.md"));

        isGenerated("docs/configuration.md", new KeyTable(ConfigReader.survey().declared).rewrite(page));
    }

    private static void isGenerated(String file, String expected) throws IOException {
        Path path = ROOT.resolve(file);
        if (Boolean.getBoolean("lychgate.generate")) {
            Files.writeString(path, expected);
        }
        assertThat(Files.readString(path)).as(file + " " + HINT).isEqualTo(expected);
    }

    /** Two blanks per level, and each item on a separate line. */
    private static final class Indented extends DefaultPrettyPrinter {
        private static final long serialVersionUID = 1L;

        Indented() {
            DefaultIndenter lines = new DefaultIndenter("  ", "\n");
            indentArraysWith(lines);
            indentObjectsWith(lines);
        }

        @Override
        public DefaultPrettyPrinter createInstance() {
            return new Indented();
        }

        @Override
        public void writeObjectFieldValueSeparator(JsonGenerator json) throws IOException {
            json.writeRaw(": ");
        }
    }
}
