package dev.lychgate.upstream;

import dev.lychgate.http.RequestHead;
import java.net.InetAddress;

/**
 * Binds a client by its address, whatever the algorithm. There is nothing that tells an old client from a new one: one
 * whose endpoint is drained moves, as the drain would never end otherwise.
 */
final class ClientAddress implements Persistence {
    @Override
    public Binding read(RequestHead request, InetAddress client) {
        long hash = RequestHash.ofAddress(client);
        return set -> Rendezvous.of(set, hash);
    }
}
