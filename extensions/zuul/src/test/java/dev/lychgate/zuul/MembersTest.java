package dev.lychgate.zuul;

import static org.assertj.core.api.Assertions.assertThat;

import com.netflix.zuul.context.RequestContext;
import dev.lychgate.zuul.servlet.RequestView;
import dev.lychgate.zuul.servlet.ResponseView;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The members that filters of Zuul 1 use. A missing member is named. */
class MembersTest {
    /** The members of the context that public filters use. */
    private static final String OF_THE_CONTEXT = """
            addFilterExecutionSummary addOriginResponseHeader addZuulRequestHeader addZuulResponseHeader containsKey copy debugRequest
            debugRouting get getBoolean getCurrentContext getFilterExecutionSummary getOriginContentLength getOriginResponseHeaders
            getRequest getRequestQueryParams getResponse getResponseBody getResponseDataStream getResponseGZipped
            getResponseStatusCode getRouteHost getThrowable getZuulRequestHeaders getZuulResponseHeaders isChunkedRequestBody
            isGzipRequested put removeRouteHost sendZuulResponse set setChunkedRequestBody setDebugRequest setDebugRouting
            setOriginContentLength setRequest setRequestQueryParams setResponse setResponseBody setResponseDataStream
            setResponseGZipped setResponseStatusCode setRouteHost setSendZuulResponse setThrowable unset
            """;

    private static final String OF_THE_REQUEST = """
            getAttribute getCharacterEncoding getContentLength getContentType getCookies getHeader getHeaderNames getHeaders
            getInputStream getMethod getParameter getParameterMap getParameterNames getParameterValues getProtocol getQueryString
            getReader getRemoteAddr getRemoteHost getRemotePort getRequestDispatcher getRequestURI getRequestURL getScheme
            getServerName getServerPort setAttribute
            """;

    private static final String OF_THE_RESPONSE = """
            addCookie addHeader flushBuffer getOutputStream getStatus getWriter isCommitted sendError sendRedirect
            setCharacterEncoding setContentLength setContentType setHeader setStatus
            """;

    /** Members of Zuul that filters do not need, because the gateway loads and runs filters, and watches properties. */
    private static final Set<String> LEFT_OUT = Set.of(
            "FilterLoader.filterInstanceMapSize",
            "FilterLoader.getFilter",
            "FilterLoader.putFilter",
            "FilterLoader.setCompiler",
            "FilterLoader.setFilterFactory",
            "FilterLoader.setFilterRegistry",
            "FilterProcessor.error",
            "FilterProcessor.postRoute",
            "FilterProcessor.preRoute",
            "FilterProcessor.route",
            "ConfigurationManager.APPLICATION_PROPERTIES",
            "ConfigurationManager.DISABLE_DEFAULT_ENV_CONFIG",
            "ConfigurationManager.DISABLE_DEFAULT_SYS_CONFIG",
            "ConfigurationManager.ENV_CONFIG_NAME",
            "ConfigurationManager.PROP_NEXT_LOAD",
            "ConfigurationManager.SYS_CONFIG_NAME",
            "ConfigurationManager.URL_CONFIG_NAME",
            "ConfigurationManager.getDeploymentContext",
            "ConfigurationManager.getLoadedPropertiesURLs",
            "ConfigurationManager.getPropertiesFromFile",
            "ConfigurationManager.getConfigFromPropertiesFile",
            "ConfigurationManager.isConfigurationInstalled",
            "ConfigurationManager.loadAppOverrideProperties",
            "ConfigurationManager.loadCascadedPropertiesFromResources",
            "ConfigurationManager.loadProperties",
            "ConfigurationManager.loadPropertiesFromResources",
            "ConfigurationManager.new",
            "ConfigurationManager.setDeploymentContext",
            "DynamicPropertyFactory.DISABLE_DEFAULT_CONFIG",
            "DynamicPropertyFactory.DISABLE_DEFAULT_SYS_CONFIG",
            "DynamicPropertyFactory.ENABLE_JMX",
            "DynamicPropertyFactory.SYS_CONFIG_NAME",
            "DynamicPropertyFactory.THROW_MISSING_CONFIGURATION_SOURCE_EXCEPTION",
            "DynamicPropertyFactory.URL_CONFIG_NAME",
            "DynamicPropertyFactory.getBackingConfigurationSource",
            "DynamicPropertyFactory.getContextualProperty",
            "DynamicPropertyFactory.initWithConfigurationSource",
            "DynamicPropertyFactory.isInitializedWithDefaultConfig",
            "DynamicPropertyFactory.isThrowMissingConfigurationSourceException",
            "DynamicPropertyFactory.setThrowMissingConfigurationSourceException");

    private static List<String> missing(Class<?> type, String names) {
        Set<String> present =
                Arrays.stream(type.getMethods()).map(Method::getName).collect(Collectors.toSet());
        return Stream.of(names.trim().split("\\s+"))
                .filter(name -> !present.contains(name))
                .toList();
    }

    @Test
    void eachMemberThatPublicFiltersUseExists() {
        assertThat(missing(RequestContext.class, OF_THE_CONTEXT)).isEmpty();
        assertThat(missing(RequestView.class, OF_THE_REQUEST)).isEmpty();
        assertThat(missing(ResponseView.class, OF_THE_RESPONSE)).isEmpty();
        long members = Stream.of(OF_THE_CONTEXT, OF_THE_REQUEST, OF_THE_RESPONSE)
                .mapToLong(names -> names.trim().split("\\s+").length)
                .sum();
        assertThat(members).isGreaterThanOrEqualTo(82);
    }

    @Test
    void eachPublicMemberOfTheClassesOfZuulExists() throws Exception {
        Set<String> missing = new TreeSet<>();
        Set<String> compared = new HashSet<>();
        try (URLClassLoader zuul = new URLClassLoader(jars(), ClassLoader.getPlatformClassLoader())) {
            for (String name : ownClasses()) {
                Class<?> original = load(zuul, name);
                if (original != null) {
                    compared.add(name);
                    String simpleName = original.getSimpleName();
                    Set<String> own = signatures(Class.forName(name), "");
                    signatures(original, "com.netflix.").stream()
                            .filter(member -> !own.contains(member))
                            .map(member -> simpleName + "." + member)
                            .filter(member -> !LEFT_OUT.contains(member.replaceFirst("\\(.*", "")))
                            .forEach(missing::add);
                }
            }
        }
        assertThat(compared)
                .contains("com.netflix.zuul.context.RequestContext", "com.netflix.config.DynamicStringProperty")
                .hasSizeGreaterThan(25);
        assertThat(missing).isEmpty();
    }

    private static URL[] jars() throws Exception {
        try (Stream<Path> files = Files.list(Path.of("target/oracle"))) {
            List<URL> urls = new ArrayList<>();
            for (Path jar : files.toList()) {
                urls.add(jar.toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }
    }

    private static List<String> ownClasses() throws Exception {
        Path root = Path.of("target/classes");
        try (Stream<Path> files = Files.walk(root.resolve("com/netflix"))) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.contains("package-info") && !file.contains("$"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .toList();
        }
    }

    private static @Nullable Class<?> load(ClassLoader loader, String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /**
     * Returns the public members that code of filters can name. Members with types of other libraries are left out.
     *
     * @param declaredIn the beginning of the names of the classes that declare the members
     */
    private static Set<String> signatures(Class<?> type, String declaredIn) {
        Set<String> members = new TreeSet<>();
        for (Method method : type.getMethods()) {
            boolean own = method.getDeclaringClass().getName().startsWith(declaredIn);
            // The compiler declares methods of a hidden base class again, as synthetic ones.
            boolean written = declaredIn.isEmpty() || !method.isSynthetic();
            if (own && written && !isInternal(method.getName(), method.getParameterTypes())) {
                members.add(method.getName() + parameters(method.getParameterTypes()));
            }
        }
        for (Constructor<?> constructor : type.getConstructors()) {
            if (!isInternal("", constructor.getParameterTypes())) {
                members.add("new" + parameters(constructor.getParameterTypes()));
            }
        }
        for (Field field : type.getFields()) {
            boolean own = field.getDeclaringClass().getName().startsWith(declaredIn);
            if (own && !isInternal(field.getName())) {
                members.add(field.getName());
            }
        }
        return members;
    }

    private static boolean isInternal(String name, Class<?>... parameters) {
        return name.contains("$")
                || name.startsWith("__")
                || Set.of("getMetaClass", "setMetaClass", "invokeMethod", "getProperty", "setProperty")
                        .contains(name)
                || Set.of("getDynamicProperty", "addValidator", "getChangedTimestamp", "registerSubClassWithNoCallback")
                        .contains(name)
                || Arrays.stream(parameters)
                        .anyMatch(each -> each.getName().startsWith("com.google")
                                || each.getName().startsWith("org.apache"));
    }

    private static String parameters(Class<?>[] types) {
        return Arrays.stream(types).map(Class::getName).collect(Collectors.joining(",", "(", ")"));
    }
}
