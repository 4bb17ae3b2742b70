package dev.lychgate.config;

/** A value that must not be displayed. */
public record Secret(String value) {
    @Override
    public String toString() {
        return "***";
    }
}
