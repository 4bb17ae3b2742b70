package dev.lychgate.health;

/** What should be a message of protocol buffers is none. */
final class MalformedMessageException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedMessageException() {
        super("no message of protocol buffers", null, false, false);
    }
}
