package dev.lychgate.server.metrics;

/**
 * The release of a fleet that this node serves.
 *
 * @param space the name of the space, which is the fleet's part of the store
 * @param node the name of the node
 * @param digest the digest of the release; empty before the first one
 */
public record NodeRelease(String space, String node, String digest) {}
