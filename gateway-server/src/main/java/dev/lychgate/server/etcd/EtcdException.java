package dev.lychgate.server.etcd;

/** Thrown if a request to etcd fails. The message states the reason on one line, without credentials. */
public final class EtcdException extends Exception {
    private static final long serialVersionUID = 1;

    /** The kind of a failure. */
    public enum Kind {
        /** No member responded in time, or the cluster has no quorum. A write may have been applied. */
        UNAVAILABLE,
        /** A member refused the request. Other members would also refuse the request. */
        REFUSED,
        /** The lease that the request names does not exist. */
        NO_LEASE,
        /** The token expired. */
        TOKEN,
        /** The response is larger than the client accepts, or malformed. */
        UNREADABLE
    }

    private final Kind kind;

    EtcdException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    EtcdException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the message; never null. */
    public String reason() {
        return String.valueOf(getMessage());
    }

    /** Returns the exception for a response with an error status. */
    static EtcdException of(int status, String error) {
        String text = error.isEmpty() ? "status " + status : error;
        if (text.contains("invalid auth token") || text.contains("revision of auth store is old")) {
            return new EtcdException(Kind.TOKEN, text);
        }
        if (text.contains("lease not found")) {
            return new EtcdException(Kind.NO_LEASE, text);
        }
        // A member that has no leader, and a proxy in front of a member, also respond with 503 and 504.
        boolean temporary = status >= 500 || status == 408 || status == 429 || text.contains("too many requests");
        return new EtcdException(temporary ? Kind.UNAVAILABLE : Kind.REFUSED, text);
    }
}
