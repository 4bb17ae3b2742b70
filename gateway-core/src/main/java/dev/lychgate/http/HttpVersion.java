package dev.lychgate.http;

/** The HTTP version of a received message. */
public enum HttpVersion {
    HTTP_1_0("HTTP/1.0", "1.0"),
    HTTP_1_1("HTTP/1.1", "1.1"),
    HTTP_2("HTTP/2.0", "2.0");

    private final String text;
    private final String number;

    HttpVersion(String text, String number) {
        this.text = text;
        this.number = number;
    }

    /** Returns the form used in request lines and logs: {@code HTTP/1.1}. */
    public String text() {
        return text;
    }

    /** Returns the form used in {@code Via}: {@code 1.1}. */
    public String number() {
        return number;
    }
}
