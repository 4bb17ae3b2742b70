import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext
import java.util.zip.GZIPInputStream

class Unzip extends ZuulFilter {
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
        return RequestContext.currentContext.responseGZipped
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        String body = new GZIPInputStream(ctx.getResponseDataStream()).getText('UTF-8')
        ctx.setResponseBody(body.replace('origin', 'gateway'))
    }
}
