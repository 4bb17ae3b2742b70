package dev.lychgate.server.terminal;

/** How a line is to be seen where colours are; the line says it in words, too. */
enum Tone {
    PLAIN(""),
    HEADING("\033[1m"),
    TROUBLE("\033[1;31m");

    private final String begin;

    Tone(String begin) {
        this.begin = begin;
    }

    String paint(String line) {
        return begin.isEmpty() ? line : begin + line + "\033[0m";
    }
}
