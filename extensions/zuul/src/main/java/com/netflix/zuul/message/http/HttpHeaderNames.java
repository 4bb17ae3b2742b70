package com.netflix.zuul.message.http;

import com.netflix.zuul.message.HeaderName;

/** Names of headers. */
public final class HttpHeaderNames {
    public static final HeaderName ACCEPT = new HeaderName("Accept");
    public static final HeaderName ACCEPT_CHARSET = new HeaderName("Accept-Charset");
    public static final HeaderName ACCEPT_ENCODING = new HeaderName("Accept-Encoding");
    public static final HeaderName ACCEPT_LANGUAGE = new HeaderName("Accept-Language");
    public static final HeaderName AUTHORIZATION = new HeaderName("Authorization");
    public static final HeaderName CACHE_CONTROL = new HeaderName("Cache-Control");
    public static final HeaderName CONNECTION = new HeaderName("Connection");
    public static final HeaderName CONTENT_ENCODING = new HeaderName("Content-Encoding");
    public static final HeaderName CONTENT_LENGTH = new HeaderName("Content-Length");
    public static final HeaderName CONTENT_RANGE = new HeaderName("Content-Range");
    public static final HeaderName CONTENT_TYPE = new HeaderName("Content-Type");
    public static final HeaderName COOKIE = new HeaderName("Cookie");
    public static final HeaderName DATE = new HeaderName("Date");
    public static final HeaderName ETAG = new HeaderName("ETag");
    public static final HeaderName EXPECT = new HeaderName("Expect");
    public static final HeaderName HOST = new HeaderName("Host");
    public static final HeaderName IF_MODIFIED_SINCE = new HeaderName("If-Modified-Since");
    public static final HeaderName IF_NONE_MATCH = new HeaderName("If-None-Match");
    public static final HeaderName KEEP_ALIVE = new HeaderName("Keep-Alive");
    public static final HeaderName LOCATION = new HeaderName("Location");
    public static final HeaderName ORIGIN = new HeaderName("Origin");
    public static final HeaderName RANGE = new HeaderName("Range");
    public static final HeaderName REFERER = new HeaderName("Referer");
    public static final HeaderName SERVER = new HeaderName("Server");
    public static final HeaderName SET_COOKIE = new HeaderName("Set-Cookie");
    public static final HeaderName TE = new HeaderName("TE");
    public static final HeaderName TRAILER = new HeaderName("Trailer");
    public static final HeaderName TRANSFER_ENCODING = new HeaderName("Transfer-Encoding");
    public static final HeaderName UPGRADE = new HeaderName("Upgrade");
    public static final HeaderName USER_AGENT = new HeaderName("User-Agent");
    public static final HeaderName VARY = new HeaderName("Vary");
    public static final HeaderName VIA = new HeaderName("Via");
    public static final HeaderName X_FORWARDED_FOR = new HeaderName("X-Forwarded-For");
    public static final HeaderName X_FORWARDED_HOST = new HeaderName("X-Forwarded-Host");
    public static final HeaderName X_FORWARDED_PORT = new HeaderName("X-Forwarded-Port");
    public static final HeaderName X_FORWARDED_PROTO = new HeaderName("X-Forwarded-Proto");
    public static final HeaderName X_FORWARDED_PROTO_VERSION = new HeaderName("X-Forwarded-Proto-Version");

    private HttpHeaderNames() {}
}
