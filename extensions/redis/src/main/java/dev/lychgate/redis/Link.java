package dev.lychgate.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;

/**
 * The connection to a Redis server, or to the nodes of a cluster. It reconnects automatically, and rejects commands
 * while it is disconnected.
 *
 * @param scripts runs scripts; to be called on the thread of the connections
 */
record Link(RedisScriptingAsyncCommands<String, String> scripts) {
    static Link to(StatefulRedisConnection<String, String> server) {
        return new Link(server.async());
    }

    static Link to(StatefulRedisClusterConnection<String, String> cluster) {
        return new Link(cluster.async());
    }
}
