package dev.lychgate.config;

/** Whether an endpoint gets new requests, according to the source that reports the endpoint. */
public enum EndpointReadiness {
    READY,
    /** The endpoint is shutting down. It completes running exchanges, but gets no new requests. */
    DRAINING
}
