package dev.lychgate.http2;

import io.netty.handler.codec.EmptyHeaders;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Header fields as far as Netty's header compression looks at them: it adds what it decodes, and walks over what it
 * encodes. Nothing is stored here, nothing hashed.
 */
abstract class NettyFields extends EmptyHeaders<CharSequence, CharSequence, Http2Headers> implements Http2Headers {
    @Override
    public Iterator<CharSequence> valueIterator(CharSequence name) {
        return Collections.emptyIterator();
    }

    @Override
    public Http2Headers method(CharSequence value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Http2Headers scheme(CharSequence value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Http2Headers authority(CharSequence value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Http2Headers path(CharSequence value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Http2Headers status(CharSequence value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable CharSequence method() {
        return null;
    }

    @Override
    public @Nullable CharSequence scheme() {
        return null;
    }

    @Override
    public @Nullable CharSequence authority() {
        return null;
    }

    @Override
    public @Nullable CharSequence path() {
        return null;
    }

    @Override
    public @Nullable CharSequence status() {
        return null;
    }

    @Override
    public boolean contains(CharSequence name, CharSequence value, boolean caseInsensitive) {
        return false;
    }
}
