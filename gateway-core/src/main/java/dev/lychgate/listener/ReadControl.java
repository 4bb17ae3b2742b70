package dev.lychgate.listener;

import dev.lychgate.codec.RequestReader;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import org.jspecify.annotations.Nullable;

/**
 * Controls reading from a client connection. This class combines the states of the decoder and of the channel, so that
 * one part of the code cannot resume reading while another part has paused it. Used on the connection's event loop.
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

    /** Returns whether the exchange has paused its request body. */
    boolean isBodyPaused() {
        return bodyPaused;
    }

    void pauseBody() {
        bodyPaused = true;
        hold();
    }

    /** Resumes the request body. May deliver chunks before it returns. */
    void resumeBody() {
        bodyPaused = false;
        readChannel();
        source.resume();
    }

    /** Clears the pause of a request body whose exchange has ended while the body was paused. */
    void forgetBody() {
        bodyPaused = false;
    }

    /** Pauses parsing until {@link #resume()}; reading from the channel continues. */
    void pause() {
        source.pause();
    }

    /** Pauses reading and parsing until {@link #resume()}. */
    void hold() {
        source.pause();
        stopChannel();
    }

    /**
     * Resumes reading and parsing.
     *
     * @return whether buffered data was parsed; if true, no read-complete event follows
     */
    boolean resume() {
        readChannel();
        return source.resume();
    }

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

    void remove(ChannelPipeline pipeline) {
        pipeline.remove(source);
    }

    /**
     * Treats further input as tunnel data. The delivery of this data is paused until {@link #resumeBody()}.
     *
     * @return the client's handshake key
     */
    @Nullable
    String becomeTunnel() {
        source.becomeTunnel();
        pauseBody();
        return source.webSocketKey();
    }

    /** Discards unparsed and further input. */
    void discard() {
        bodyPaused = false;
        source.discard();
    }

    /** Returns the size of the buffer that contains unparsed bytes; 0 if there are none. */
    int bufferSize() {
        return source.bufferSize();
    }

    /**
     * Returns whether there may be bytes of the client that were not parsed, either in the buffer or unread in the
     * channel.
     */
    boolean mayHaveInput() {
        return channelStopped || buffered() > 0;
    }

    /** Returns the number of bytes that have been read but not parsed. */
    int buffered() {
        return source.buffered();
    }
}
