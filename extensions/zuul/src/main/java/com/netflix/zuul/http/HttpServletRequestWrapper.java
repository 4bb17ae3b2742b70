package com.netflix.zuul.http;

import com.netflix.zuul.context.RequestContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** A request with a body that can be read several times. */
public class HttpServletRequestWrapper extends javax.servlet.http.HttpServletRequestWrapper {
    private byte @Nullable [] content;

    /** Wraps the request of the current context. */
    public HttpServletRequestWrapper() {
        this(RequestContext.getCurrentContext().getRequest());
    }

    public HttpServletRequestWrapper(HttpServletRequest request) {
        super(request);
    }

    @Override
    public HttpServletRequest getRequest() {
        return (HttpServletRequest) super.getRequest();
    }

    /** Returns the body. */
    public byte[] getContentData() throws IOException {
        byte[] read = content;
        if (read == null) {
            read = super.getInputStream().readAllBytes();
            content = read;
        }
        return read;
    }

    /** Returns all parameters. */
    @SuppressWarnings("NonApiType")
    public HashMap<String, String[]> getParameters() {
        return new HashMap<>(getParameterMap());
    }

    /** Returns 0, because the gateway has already read the body. */
    public long getBodyBufferingTimeNs() {
        return 0;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        return new ServletInputStreamWrapper(getContentData());
    }

    @Override
    public BufferedReader getReader() throws IOException {
        String encoding = getCharacterEncoding();
        Charset charset = encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
        return new BufferedReader(new InputStreamReader(getInputStream(), charset));
    }
}
