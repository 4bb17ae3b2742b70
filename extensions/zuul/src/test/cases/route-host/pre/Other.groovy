import com.netflix.config.DynamicPropertyFactory
import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Other extends ZuulFilter {
    @Override
    String filterType() {
        return 'pre'
    }

    @Override
    int filterOrder() {
        return 5
    }

    @Override
    boolean shouldFilter() {
        return !RequestContext.currentContext.request.requestURI.startsWith('/missing')
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.setRouteHost(new URL(DynamicPropertyFactory.getInstance().getStringProperty('sample.other', '').get()))
        ctx.addZuulRequestHeader('X-Route', ctx.getRouteHost().getProtocol())
    }
}
