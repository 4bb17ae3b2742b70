import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class InTime extends ZuulFilter {
    @Override
    String filterType() {
        return 'post'
    }

    @Override
    int filterOrder() {
        return 999
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        RequestContext.currentContext.addZuulResponseHeader('X-In-Time', '1')
    }
}
