package dev.lychgate.server.etcd;

import dev.lychgate.config.EtcdConfig;
import dev.lychgate.config.EtcdUser;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.terminal.JsonValue;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The token of a user. A member issues the token for the user's password, and the token expires. Thread-safe. */
final class Tokens {
    private static final String NONE = "";

    private final @Nullable EtcdUser user;
    private final EtcdConnections connections;
    private volatile String token = NONE;

    Tokens(EtcdConfig config, EtcdConnections connections) {
        this.user = config.user();
        this.connections = connections;
    }

    /**
     * Returns the current token. If there is no token, requests a token from the member. Without authentication, the
     * token is empty.
     */
    CompletableFuture<String> current(URI member) {
        String present = token;
        if (user == null || !present.equals(NONE)) {
            return CompletableFuture.completedFuture(present);
        }
        JsonObject body = new JsonObject().with("name", user.name()).with("password", user.password());
        return connections.send(member, "/v3/auth/authenticate", body, NONE).thenApply(this::issued);
    }

    private synchronized String issued(JsonValue json) {
        String issued = json.get("token").raw();
        if (!issued.matches("[!-~]{1,8192}")) {
            throw new CompletionException(
                    new EtcdException(EtcdException.Kind.UNREADABLE, "the response contains no token"));
        }
        token = issued;
        return issued;
    }

    /** Discards a token that a member refused. */
    synchronized void expire(String old) {
        if (token.equals(old)) {
            token = NONE;
        }
    }
}
