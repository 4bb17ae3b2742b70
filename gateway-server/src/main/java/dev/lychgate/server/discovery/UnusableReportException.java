package dev.lychgate.server.discovery;

import java.io.IOException;

/**
 * Thrown if a report of a source cannot be used. The message states the reason for operators, and contains no secrets.
 */
final class UnusableReportException extends IOException {
    private static final long serialVersionUID = 1;

    UnusableReportException(String reason) {
        super(reason);
    }
}
