import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Writer extends ZuulFilter {
    @Override
    String filterType() {
        return 'post'
    }

    @Override
    int filterOrder() {
        return 5
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        Writer self = this
        RequestContext.currentContext.addZuulResponseHeader('X-Writer', self.class.simpleName)
    }
}
