import com.netflix.config.DynamicPropertyFactory
import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext
import com.netflix.zuul.util.HTTPRequestUtils
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse

/** Sends the request to the route host, as the routing filter of each application with Zuul does. */
class HostRouting extends ZuulFilter {
    static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
    static final Set<String> OF_THE_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'upgrade'] as Set
    static final Set<String> NOT_RETURNED = ['connection', 'content-length', 'transfer-encoding', 'server'] as Set

    String filterType() { 'route' }

    int filterOrder() { 100 }

    boolean shouldFilter() { RequestContext.currentContext.sendZuulResponse() }

    Object run() {
        RequestContext context = RequestContext.currentContext
        def request = context.request
        URL host = context.routeHost ?: new URL(DynamicPropertyFactory.instance.getStringProperty('oracle.origin', '').get())
        String path = context.get('requestURI') ?: request.requestURI
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(host.toString() + path + query(context)))
        Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER)
        request.headerNames.each { name ->
            fields[name as String] = request.getHeaders(name as String).toList()
        }
        context.zuulRequestHeaders.each { name, value -> fields[name] = [value] }
        fields.findAll { !(it.key.toLowerCase() in OF_THE_CONNECTION) }.each { name, values ->
            values.each { builder.header(name, it) }
        }
        byte[] body = request.method in ['GET', 'HEAD'] ? new byte[0] : request.inputStream.bytes
        builder.method(request.method, body.length == 0
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(body))
        HttpResponse<InputStream> response = CLIENT.send(builder.build(), HttpResponse.BodyHandlers.ofInputStream())
        context.responseStatusCode = response.statusCode()
        context.responseDataStream = response.body()
        context.responseGZipped = response.headers().allValues('content-encoding').any { HTTPRequestUtils.instance.isGzipped(it) }
        response.headers().map().each { name, values ->
            values.each { value ->
                context.addOriginResponseHeader(name, value)
                if (name.equalsIgnoreCase('content-length')) {
                    context.setOriginContentLength(value)
                }
                if (!(name.toLowerCase() in NOT_RETURNED)) {
                    context.addZuulResponseHeader(name, value)
                }
            }
        }
        null
    }

    private static String query(RequestContext context) {
        Map<String, List<String>> parameters = context.requestQueryParams
        if (parameters == null) {
            return context.request.queryString == null ? '' : '?' + context.request.queryString
        }
        String joined = parameters.collectMany { name, values ->
            values.collect { URLEncoder.encode(name, 'UTF-8') + '=' + URLEncoder.encode(it, 'UTF-8') }
        }.join('&')
        joined.isEmpty() ? '' : '?' + joined
    }
}
