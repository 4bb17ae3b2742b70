package dev.lychgate;

import dev.lychgate.gateway.Gateway;
import dev.lychgate.listener.Listener;
import dev.lychgate.server.admin.AdminServer;
import dev.lychgate.server.handover.SharedSockets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The listening sockets of a gateway and of its admin listener.
 *
 * @param admin null if there is no admin listener
 * @param records whether the gateway writes recordings; only one process may open the file of a recording
 */
record GatewaySockets(Gateway gateway, @Nullable AdminServer admin, boolean records) implements SharedSockets {
    @Override
    public @Nullable String refusal() {
        if (gateway.candidate() != null) {
            return "a rollout is in progress; wait for its end, or abort it";
        }
        return records ? "this process writes recordings; remove record from the configuration, or restart" : null;
    }

    @Override
    public List<Integer> share() {
        List<Integer> all = new ArrayList<>();
        for (Listener listener : gateway.listeners()) {
            List<Integer> own = listener.share();
            if (own.isEmpty()) {
                return List.of();
            }
            all.addAll(own);
        }
        Integer ofAdmin = admin == null ? null : admin.descriptor();
        if (ofAdmin != null) {
            all.add(ofAdmin);
        }
        return all;
    }

    @Override
    public void keep() {
        gateway.listeners().forEach(Listener::keep);
    }

    @Override
    public void leave() {
        gateway.listeners().forEach(Listener::stopAccepting);
        if (admin != null) {
            admin.stopAccepting();
        }
    }

    @Override
    public void accept() {
        gateway.listeners().forEach(Listener::acceptInherited);
        if (admin != null) {
            admin.acceptConnections();
        }
    }
}
