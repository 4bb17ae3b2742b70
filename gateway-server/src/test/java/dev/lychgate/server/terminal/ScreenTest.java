package dev.lychgate.server.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private final StringWriter terminal = new StringWriter();

    @Test
    void restoresThePreviousScreenOnceAndDrawsNothingAfterThat() {
        Screen screen = new Screen(new PrintWriter(terminal));
        screen.draw(List.of("a", "b"));
        screen.close();
        String drawn = terminal.toString();
        screen.close();
        screen.draw(List.of("late"));

        assertThat(terminal).hasToString(drawn);
        assertThat(drawn).startsWith("\033[?1049h\033[?25l").endsWith("\033[?25h\033[?1049l");
        assertThat(drawn).as("the last line does not scroll").contains("\033[Ha\033[K\nb\033[K\033[J\033[?25h");
    }
}
