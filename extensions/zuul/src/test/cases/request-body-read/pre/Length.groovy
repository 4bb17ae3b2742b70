import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Length extends ZuulFilter {
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
        return RequestContext.currentContext.request.method == 'POST'
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        String body = ctx.request.inputStream.getText('UTF-8')
        ctx.addZuulRequestHeader('X-Body', body.length() + ' ' + body.take(12).bytes.encodeHex())
    }
}
