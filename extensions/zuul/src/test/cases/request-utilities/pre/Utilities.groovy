import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext
import com.netflix.zuul.util.HTTPRequestUtils

class Utilities extends ZuulFilter {
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
        return true
    }

    @Override
    Object run() {
        HTTPRequestUtils utils = HTTPRequestUtils.getInstance()
        RequestContext ctx = RequestContext.currentContext
        ctx.addZuulRequestHeader('X-Utilities', [utils.getHeaderValue('X-Tenant'), utils.getValueFromRequestElements('page'),
                utils.getQueryParams()?.keySet()?.sort()?.join('+'), utils.isGzipped('gzip')].join(','))
    }
}
