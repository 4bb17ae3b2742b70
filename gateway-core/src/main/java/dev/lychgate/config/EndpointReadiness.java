package dev.lychgate.config;

/** Whether an endpoint gets new requests, according to the source that reports the endpoint. */
public enum EndpointReadiness {
    READY,
    /** The endpoint is about to end. It finishes open exchanges but gets no new requests. */
    DRAINING
}
