package dev.lychgate.zuul;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The code on docs/zuul.md. */
final class DocumentedFilter {
    private static final Path PAGE = Path.of("../../docs/zuul.md");

    private DocumentedFilter() {}

    /** Returns a block of code. @param fence the words after the three backticks that begin the block */
    static String block(String fence) throws IOException {
        Matcher block =
                Pattern.compile("```" + fence + "\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }
}
