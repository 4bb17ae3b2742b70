package com.netflix.zuul.filters;

import com.netflix.zuul.ZuulFilter;
import com.netflix.zuul.context.RequestContext;
import java.util.Collection;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Responds to requests with certain paths. If several filters match a request, the first of them responds. */
public abstract class StaticResponseFilter extends ZuulFilter {
    /** Returns the path, a collection of paths, or a {@link Pattern} that matches whole paths. */
    public abstract Object uri();

    /** Returns the body of the response. */
    public abstract String responseBody();

    @Override
    public String filterType() {
        return "static";
    }

    @Override
    public int filterOrder() {
        return 0;
    }

    @Override
    public boolean shouldFilter() {
        String path = RequestContext.getCurrentContext().getRequest().getRequestURI();
        return checkPath(path) || checkPath("/" + path);
    }

    /** Returns whether {@link #uri} contains or matches a path. */
    public boolean checkPath(String path) {
        Object uri = uri();
        if (uri instanceof Pattern pattern) {
            return pattern.matcher(path).matches();
        }
        return uri instanceof Collection<?> paths ? paths.contains(path) : path.equals(String.valueOf(uri));
    }

    @Override
    public @Nullable Object run() {
        RequestContext context = RequestContext.getCurrentContext();
        if (context.getResponseBody() == null) {
            context.setResponseStatusCode(200);
            context.setResponseBody(responseBody());
            context.setSendZuulResponse(false);
        }
        return null;
    }
}
