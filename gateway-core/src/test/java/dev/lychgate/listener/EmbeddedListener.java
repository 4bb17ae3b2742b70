package dev.lychgate.listener;

import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.exchange.Worker;
import dev.lychgate.http.ClientRecords;
import dev.lychgate.http.Via;
import io.netty.channel.Channel;

/** A listener without a socket: the test supplies channels as its connections. */
public final class EmbeddedListener {
    private final ListenerContext context;

    /**
     * With the default settings of a listener.
     *
     * @param pseudonym the name in {@code Via}
     */
    public EmbeddedListener(String pseudonym) {
        context = new ListenerContext(
                ListenerConfig.of("embedded", new BindAddress("127.0.0.1", 0)),
                new AcceptGate(Integer.MAX_VALUE, new ListenerCounters()),
                new Via(pseudonym),
                ClientRecords.NONE_NAMED);
    }

    /** Serves {@code channel} as if it had just been accepted. */
    public void accept(Channel channel, Worker worker) {
        new ConnectionStart(context, worker, channel).begin();
    }
}
