import com.netflix.config.ConfigurationManager
import com.netflix.zuul.FilterLoader
import com.netflix.zuul.FilterProcessor
import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext
import com.netflix.zuul.filters.FilterRegistry
import com.netflix.zuul.groovy.GroovyCompiler
import com.netflix.zuul.http.ZuulServlet
import com.netflix.zuul.monitoring.MonitoringHelper
import org.apache.catalina.Context
import org.apache.catalina.Wrapper
import org.apache.catalina.startup.Tomcat

/*
 * Zuul 1.3.1 in Tomcat, in a process of its own. Arguments: the directory of the cases, the directory of the filters that every
 * case has, the properties and the origin. The field x-case of a request names the case whose filters run. The first line of the
 * output is the port.
 */
def (String cases, String common, String properties, String origin) = args as List

Properties read = new Properties()
new File(properties).withInputStream { read.load(it) }
read.each { key, value -> ConfigurationManager.configInstance.setProperty(key as String, value) }
ConfigurationManager.configInstance.setProperty('oracle.origin', origin)

MonitoringHelper.initMocks()
FilterLoader loader = FilterLoader.instance
loader.compiler = new GroovyCompiler()
Map<ZuulFilter, String> caseOf = new IdentityHashMap<>()
[common, cases].each { root ->
    new File(root).eachFileRecurse { file ->
        if (file.name.endsWith('.groovy')) {
            loader.putFilter(file)
            ZuulFilter filter = FilterRegistry.instance().get(file.absolutePath + file.name)
            caseOf[filter] = root == common ? '' : new File(root).toPath().relativize(file.toPath()).getName(0).toString()
        }
    }
}
FilterProcessor.processor = new FilterProcessor() {
    @Override
    Object processZuulFilter(ZuulFilter filter) {
        String only = caseOf[filter]
        boolean runs = only.isEmpty() || only == RequestContext.currentContext.request.getHeader('x-case')
        runs ? super.processZuulFilter(filter) : null
    }
}

Tomcat tomcat = new Tomcat()
File base = File.createTempDir()
base.deleteOnExit()
tomcat.baseDir = base
tomcat.port = 0
tomcat.hostname = '127.0.0.1'
Context context = tomcat.addContext('', base.absolutePath)
Wrapper servlet = Tomcat.addServlet(context, 'zuul', new ZuulServlet())
servlet.addInitParameter('buffer-requests', 'true')
context.addServletMappingDecoded('/*', 'zuul')
tomcat.connector.setProperty('address', '127.0.0.1')
tomcat.start()
println tomcat.connector.localPort
System.out.flush()
// The test closes the input to end the process.
System.in.read()
System.exit(0)
