package com.netflix.zuul.context;

import com.netflix.zuul.stats.status.StatusCategory;

/** Keys of the context that filters share. */
public final class CommonContextKeys {
    public static final SessionContext.Key<StatusCategory> STATUS_CATEGORY = SessionContext.newKey("status_category");
    public static final SessionContext.Key<StatusCategory> ORIGIN_STATUS_CATEGORY =
            SessionContext.newKey("origin_status_category");
    public static final SessionContext.Key<Integer> ORIGIN_STATUS = SessionContext.newKey("origin_status");
    public static final String REQUEST_ATTEMPTS = "request_attempts";
    /** The key under which a filter keeps its {@link com.netflix.zuul.util.Gzipper} between chunks. */
    public static final String GZIPPER = "gzipper";

    public static final String OVERRIDE_GZIP_REQUESTED = "overrideGzipRequested";
    public static final String NETTY_HTTP_REQUEST = "_netty_http_request";

    private CommonContextKeys() {}
}
