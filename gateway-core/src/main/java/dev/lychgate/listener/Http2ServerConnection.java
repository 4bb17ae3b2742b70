package dev.lychgate.listener;

import dev.lychgate.client.ClientPermit;
import dev.lychgate.client.ClientProtections;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Worker;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.http2.Http2Fault;
import dev.lychgate.http2.Http2Limits;
import dev.lychgate.http2.Http2Stream;
import dev.lychgate.http2.ReceivedRequest;
import dev.lychgate.http2.ServerSide;
import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.net.InetAddress;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One HTTP/2 client connection. Creates one exchange per stream. */
final class Http2ServerConnection extends ServerSide implements ClientConnection {
    private static final Logger LOG = LoggerFactory.getLogger(Http2ServerConnection.class);

    /** Phase of the orderly shutdown. */
    private enum Ending {
        NOT_YET,
        /**
         * The client was notified of the shutdown. The gateway still accepts streams that the client opened before the
         * notification arrived.
         */
        ANNOUNCED,
        /** The gateway accepts no further streams. The connection closes when its last stream has ended. */
        LAST_STREAMS
    }

    private final ListenerContext listener;
    final Worker worker;
    final ClientContext client;
    private final StreamWatch watch;
    private Ending ending = Ending.NOT_YET;
    private boolean drained;
    /** The permit of the stream that is being opened. */
    private ClientPermit permit = ClientPermit.UNLIMITED;

    /** Adds the connection to the end of the channel's pipeline and starts it. */
    Http2ServerConnection(ClientContext client, Worker worker, Channel channel) {
        super(
                worker.loop(),
                channel,
                limits(client, worker),
                client.peer().tls() != null,
                client.forwarding().isTrusted());
        this.listener = client.listener();
        this.worker = worker;
        this.client = client;
        this.watch = new StreamWatch(this, listener, worker.loop().deadlines(), channel);
        listener.counters.speaksHttp2(channel);
        begin();
        watch.begin();
        if (listener.isDraining()) {
            // The listener began to drain before the protocol of this connection was known.
            drain();
        } else if (listener.isRetired()) {
            announce();
        }
    }

    /**
     * Returns the limits of the connection. The announced number of streams does not exceed the number that the client
     * may open on all its connections.
     */
    private static Http2Limits limits(ClientContext client, Worker worker) {
        ListenerContext listener = client.listener();
        Http2Limits limits = listener.http2Limits;
        ClientProtections protections = worker.generation().clients();
        InetAddress peer = client.peer().address();
        if (protections.isIdle() || client.peer().isProxy() || listener.isProxy(peer)) {
            return limits;
        }
        int most = protections.of(listener.config().name()).announcedStreams(peer);
        return most == 0 || most >= limits.streams() ? limits : limits.withStreams(most);
    }

    @Override
    protected boolean admitsStream() {
        ClientProtections protections = worker.generation().clients();
        InetAddress peer = client.peer().address();
        permit = protections.isIdle() || client.peer().isProxy() || listener.isProxy(peer)
                ? ClientPermit.UNLIMITED
                : protections.of(listener.config().name()).stream(peer);
        return permit.refusal() == null;
    }

    @Override
    protected void onRequest(int id, ReceivedRequest request, boolean end) {
        ServerStream stream = new ServerStream(this, id, permit);
        streams().add(stream);
        streams().touch(stream);
        watch.onStream();
        stream.begin(request, end);
    }

    @Override
    protected void onNoStream() {
        watch.onNoStream();
        if (ending == Ending.LAST_STREAMS) {
            end(Http2Error.NO_ERROR, "");
        }
    }

    @Override
    protected void onGoAway(int lastStream, Http2Error error) {
        // The client opens no more streams; open streams continue.
        if (ending == Ending.NOT_YET) {
            takeLast();
        }
    }

    @Override
    protected void onFault(Http2Fault fault) {
        listener.counters.http2Fault(fault.error());
        String more = listener.faults.tell(loop().nanoTime());
        if (more != null) {
            LOG.info(
                    "listener {}: HTTP/2 error caused by client {}: {} ({}); {}{}",
                    listener.config().name(),
                    client.forwarding().client(),
                    fault.detail(),
                    fault.error().label(),
                    fault.stream() == 0 ? "the connection is closed" : "the stream is reset",
                    more);
        }
    }

    @Override
    public void retire(ListenerContext before) {
        if (listener == before) {
            announce();
        }
    }

    /** Announces the end of the connection. Open streams continue, including tunnels. */
    private void announce() {
        if (ending == Ending.NOT_YET) {
            ending = Ending.ANNOUNCED;
            announceEnd();
            watch.awaitLastStreams();
        }
    }

    @Override
    public void drain() {
        if (!drained) {
            drained = true;
            announce();
            for (Http2Stream stream : streams().open()) {
                ((ServerStream) stream).drain();
            }
        }
    }

    /** Rejects further streams. Called when the client has had time to receive the notification of the shutdown. */
    void takeLast() {
        ending = Ending.LAST_STREAMS;
        takeNoMore();
        if (streams().count() == 0) {
            end(Http2Error.NO_ERROR, "");
        }
    }

    boolean isAnnounced() {
        return ending == Ending.ANNOUNCED;
    }

    @Override
    public void cut() {
        for (Http2Stream stream : streams().open()) {
            ((ServerStream) stream).cut(GatewayError.local(ErrorKind.DRAINING, "the gateway is shutting down"));
        }
        sendWaiting();
        end(Http2Error.NO_ERROR, "shutting down");
        // Closes at once, without waiting for the client's close.
        channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    void onIdle() {
        listener.counters.idleTimeouts.increment();
        end(Http2Error.NO_ERROR, "idle");
    }

    /** Handles an incomplete frame or header block. */
    void onHeadTimeout() {
        listener.counters.idleTimeouts.increment();
        end(Http2Error.ENHANCE_YOUR_CALM, "a frame was not received in time");
    }

    /** Counts the reset of a stalled stream in the same way as a reset by the client. */
    void stalled(int stream, String detail) {
        chargeReset(Http2Fault.ofStream(stream, Http2Error.CANCEL, detail));
    }

    /** Handles a client that does not read from the connection. */
    void onWriteStalled() {
        for (Http2Stream stream : streams().open()) {
            ((ServerStream) stream).onWriteStalled();
        }
        TlsChannels.cut(channel());
    }

    @Override
    protected void onLastWord(Http2Error error) {
        if (error == Http2Error.NO_ERROR) {
            watch.awaitLastBytes();
        } else {
            watch.awaitFarewell();
        }
    }

    @Override
    protected void onFarewell() {
        watch.awaitFarewell();
    }

    @Override
    protected void onClosed() {
        watch.stop();
    }

    void closeNow() {
        TlsChannels.cut(channel());
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "HTTP/2 of %s, %d streams",
                client.forwarding().client(),
                streams().count());
    }
}
