package com.netflix.zuul.context;

/** Binds contexts to threads. Only the gateway uses this class, which Zuul does not have. */
public final class BoundContext {
    private BoundContext() {}

    /** Creates a context of the class that filters have set. */
    public static RequestContext create() {
        return RequestContext.create();
    }

    /** Binds a context to the thread. */
    public static void bind(RequestContext context) {
        RequestContext.bind(context);
    }

    /** Removes the current context from the thread. */
    public static void clear() {
        RequestContext.release();
    }
}
