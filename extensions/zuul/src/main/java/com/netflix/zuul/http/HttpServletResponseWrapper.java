package com.netflix.zuul.http;

import javax.servlet.http.HttpServletResponse;

/** A response that returns its status. */
public class HttpServletResponseWrapper extends javax.servlet.http.HttpServletResponseWrapper {
    public HttpServletResponseWrapper(HttpServletResponse response) {
        super(response);
    }
}
