package dev.lychgate.listener;

import dev.lychgate.codec.RequestReader;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a client connection is read: the decoder's reins and the channel's are held in one hand, so that
 * neither is let go while somebody else still pulls. Lives on the connection's event loop.
 */
final class ReadControl {
    private final Channel channel;
    private final RequestReader source;
    private boolean bodyPaused;
    private boolean channelStopped;

    ReadControl(Channel channel, RequestReader source) {
        this.channel = channel;
        this.source = source;
    }

    /** Whether the exchange has asked for no more of its request body. */
    boolean isBodyPaused() {
        return bodyPaused;
    }

    /** The exchange takes no more of its request body for now. */
    void pauseBody() {
        bodyPaused = true;
        hold();
    }

    /** The exchange takes more of its request body. Pieces of it may be told before this returns. */
    void resumeBody() {
        bodyPaused = false;
        readChannel();
        source.resume();
    }

    /** The exchange is over, and whatever it had asked for. */
    void forgetBody() {
        bodyPaused = false;
    }

    /** Parses nothing more until {@link #resume()}; the channel is read on. */
    void pause() {
        source.pause();
    }

    /** Neither reads nor parses until {@link #resume()}. */
    void hold() {
        source.pause();
        stopChannel();
    }

    /** Reads and parses on. @return whether something has been parsed here and now, with no end of a read behind it */
    boolean resume() {
        readChannel();
        return source.resume();
    }

    /** Takes no more bytes off the channel. */
    void stopChannel() {
        if (!channelStopped) {
            channelStopped = true;
            channel.config().setAutoRead(false);
        }
    }

    private void readChannel() {
        if (channelStopped) {
            channelStopped = false;
            channel.config().setAutoRead(true);
        }
    }

    /** Takes the decoder off {@code pipeline}: nobody reads requests here. */
    void remove(ChannelPipeline pipeline) {
        pipeline.remove(source);
    }

    /** What comes from now on is no HTTP, and waits until {@link #resumeBody()}. @return the client's key of the handshake */
    @Nullable
    String becomeTunnel() {
        source.becomeTunnel();
        pauseBody();
        return source.webSocketKey();
    }

    /** Releases what has been read and not parsed, and all that still comes. */
    void discard() {
        bodyPaused = false;
        source.discard();
    }

    /** The size of the buffer in which unparsed bytes lie; 0 if there are none. */
    int bufferSize() {
        return source.bufferSize();
    }

    /** Bytes that have been read but not parsed. */
    int buffered() {
        return source.buffered();
    }
}
