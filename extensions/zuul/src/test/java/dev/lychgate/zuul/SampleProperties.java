package dev.lychgate.zuul;

/** The properties that the filters of the cases read. */
final class SampleProperties {
    private SampleProperties() {}

    /** @param other the URL of the origin that filters choose */
    static String text(String other) {
        return """
                sample.name=a name
                sample.size=12
                sample.on=true
                sample.names=green, blue,,red
                sample.other=%s
                zuul.SwitchedOff.pre.disable=true
                """.formatted(other);
    }
}
