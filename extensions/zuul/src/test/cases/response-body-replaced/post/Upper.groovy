import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Upper extends ZuulFilter {
    @Override
    String filterType() {
        return 'post'
    }

    @Override
    int filterOrder() {
        return 10
    }

    @Override
    boolean shouldFilter() {
        return RequestContext.currentContext.responseDataStream != null && !RequestContext.currentContext.responseGZipped
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.responseBody = ctx.responseDataStream.getText('UTF-8').toUpperCase()
    }
}
