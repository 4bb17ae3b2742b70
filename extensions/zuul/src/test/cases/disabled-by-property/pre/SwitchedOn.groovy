import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class SwitchedOn extends ZuulFilter {
    @Override
    String filterType() {
        return 'pre'
    }

    @Override
    int filterOrder() {
        return 6
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        RequestContext.currentContext.addZuulRequestHeader('X-On', new SwitchedOn().disablePropertyName())
    }
}
