package com.netflix.zuul.http;

import javax.servlet.http.HttpServletResponse;

/** A servlet response whose status filters can read. */
public class HttpServletResponseWrapper extends javax.servlet.http.HttpServletResponseWrapper {
    public HttpServletResponseWrapper(HttpServletResponse response) {
        super(response);
    }
}
