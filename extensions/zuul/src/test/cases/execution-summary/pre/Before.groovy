import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Before extends ZuulFilter {
    @Override
    String filterType() {
        return 'pre'
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
        RequestContext.currentContext.addZuulRequestHeader('X-Before', '1')
    }
}
