package dev.lychgate.route;

import dev.lychgate.config.Cidr;
import dev.lychgate.http.RequestHead;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;

/** The client's address lies in any of these blocks. */
record ClientPredicate(List<Cidr> blocks) implements RoutePredicate {
    @Override
    public boolean test(RequestHead head, Ingress ingress) {
        InetAddress client = ingress.clientAddress();
        for (Cidr block : blocks) {
            if (block.contains(client)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean coveredBy(RoutePredicate held) {
        return held instanceof ClientPredicate clients
                && clients.blocks.stream().allMatch(inner -> blocks.stream().anyMatch(outer -> outer.contains(inner)));
    }

    @Override
    public boolean readsClient() {
        return true;
    }

    @Override
    public String describe() {
        return "clients: " + blocks.stream().map(Cidr::toString).sorted().collect(Collectors.joining(", "));
    }
}
