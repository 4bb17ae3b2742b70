package dev.lychgate.listener;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Worker;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.http2.Http2Fault;
import dev.lychgate.http2.Http2Stream;
import dev.lychgate.http2.ReceivedRequest;
import dev.lychgate.http2.ServerSide;
import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client connection that speaks HTTP/2. Gives each stream an exchange of its own. */
final class Http2ServerConnection extends ServerSide implements ClientConnection {
    private static final Logger LOG = LoggerFactory.getLogger(Http2ServerConnection.class);

    /** How the connection comes to its end. */
    private enum Ending {
        NOT_YET,
        /** The client has been told, and what it had sent by then is still taken. */
        ANNOUNCED,
        /** Nothing is taken any more; it closes with its last stream. */
        LAST_STREAMS
    }

    private final ListenerContext listener;
    final Worker worker;
    final ClientContext client;
    private final StreamWatch watch;
    private Ending ending = Ending.NOT_YET;

    /** Made, the connection puts itself into the channel's pipeline, behind what is there already. */
    Http2ServerConnection(ClientContext client, Worker worker, Channel channel) {
        super(
                worker.loop(),
                channel,
                client.listener().http2Limits,
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
            // It was accepted before that, and has only now said what it speaks.
            drain();
        }
    }

    @Override
    protected void onRequest(int id, ReceivedRequest request, boolean end) {
        ServerStream stream = new ServerStream(this, id);
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
        // The client opens no more streams; those that there are go on to their end.
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
                    "listener {}: HTTP/2 client {}: {}, {} ({}){}",
                    listener.config().name(),
                    client.forwarding().client(),
                    fault.stream() == 0 ? "connection ended" : "stream reset",
                    fault.detail(),
                    fault.error().label(),
                    more);
        }
    }

    @Override
    public void drain() {
        if (ending == Ending.NOT_YET) {
            ending = Ending.ANNOUNCED;
            announceEnd();
            watch.awaitLastStreams();
            for (Http2Stream stream : streams().open()) {
                ((ServerStream) stream).drain();
            }
        }
    }

    /** What the client had sent before it could hear of the end has come. */
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
        // Nobody will be there to wait for the client's close.
        channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Nothing has been under way for too long. */
    void onIdle() {
        listener.counters.idleTimeouts.increment();
        end(Http2Error.NO_ERROR, "idle");
    }

    /** A frame, or a header block, does not end. */
    void onHeadTimeout() {
        listener.counters.idleTimeouts.increment();
        end(Http2Error.ENHANCE_YOUR_CALM, "a frame did not come in time");
    }

    /** A stream had to be reset since the client takes nothing: that costs as much as if the client had reset it. */
    void stalled(int stream, String detail) {
        chargeReset(Http2Fault.ofStream(stream, Http2Error.CANCEL, detail));
    }

    /** The client takes nothing of what there is for it. */
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
