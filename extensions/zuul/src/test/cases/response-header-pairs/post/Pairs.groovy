import com.netflix.util.Pair
import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Pairs extends ZuulFilter {
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
        return true
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        List<Pair<String, String>> fields = ctx.getZuulResponseHeaders()
        fields.add(new Pair<String, String>('X-Pair', 'one'))
        fields.add(new Pair<String, String>('X-Pair', 'two'))
        fields.findAll { it.first() == 'X-Pair' }.each { it.setSecond(it.second() + '!') }
    }
}
