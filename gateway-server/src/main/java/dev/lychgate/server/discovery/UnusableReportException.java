package dev.lychgate.server.discovery;

import java.io.IOException;

/** A report of a source that cannot be used. The message is the reason, for operators; it contains no secrets. */
final class UnusableReportException extends IOException {
    private static final long serialVersionUID = 1;

    UnusableReportException(String reason) {
        super(reason);
    }
}
