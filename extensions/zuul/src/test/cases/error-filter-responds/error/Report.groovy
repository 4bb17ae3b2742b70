import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Report extends ZuulFilter {
    @Override
    String filterType() {
        return 'error'
    }

    @Override
    int filterOrder() {
        return 1
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        Throwable failure = ctx.getThrowable()
        ctx.setResponseStatusCode(503)
        ctx.setResponseBody('failed: ' + failure.getClass().getSimpleName() + ' ' + failure.errorCause + ' ' + failure.nStatusCode)
    }
}
