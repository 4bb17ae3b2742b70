package com.netflix.zuul.http;

import java.io.ByteArrayInputStream;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;

/** A body in memory. */
public class ServletInputStreamWrapper extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    public ServletInputStreamWrapper(byte[] body) {
        bytes = new ByteArrayInputStream(body);
    }

    @Override
    public int read() {
        return bytes.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        return bytes.read(into, offset, length);
    }

    @Override
    public int available() {
        return bytes.available();
    }

    @Override
    public boolean isFinished() {
        return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
        throw new UnsupportedOperationException("filters read bodies synchronously");
    }
}
