package dev.lychgate.server.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.AnnotatedNode;
import org.codehaus.groovy.ast.AnnotationNode;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.expr.ArgumentListExpression;
import org.codehaus.groovy.ast.expr.BinaryExpression;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.expr.ConstructorCallExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.PropertyExpression;
import org.codehaus.groovy.ast.expr.TupleExpression;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.syntax.Types;
import org.jspecify.annotations.Nullable;

/** Visits the syntax tree of one file, and collects the code that needs a setting or a change. */
final class FilterScan extends ClassCodeVisitorSupport {
    private static final Map<String, String> REFUSED = Map.of(
            "exit", "this call would end the gateway; return from the filter, or reject the request",
            "getRequestDispatcher", "the gateway has no servlet container; respond in the filter",
            "getSession", "the gateway has no sessions; use a cookie or a header",
            "startAsync", "the gateway has no servlet container; return from the filter instead");
    private static final Set<String> NAMED_UPSTREAMS = Set.of("routeVIP", "serviceId");
    private static final Set<String> INJECTING = Set.of("Autowired", "Inject", "Resource", "Value");
    private static final Set<String> TYPED = Set.of(
            "getBooleanProperty",
            "getDoubleProperty",
            "getFloatProperty",
            "getIntProperty",
            "getLongProperty",
            "getStringProperty");

    private final SourceUnit source;
    private final Names names;
    private final List<Finding> findings = new ArrayList<>();
    private final Set<String> upstreams = new TreeSet<>();
    private final Set<String> hosts = new TreeSet<>();
    private final Set<String> properties = new TreeSet<>();

    FilterScan(SourceUnit source, Names names) {
        this.source = source;
        this.names = names;
    }

    List<Finding> findings() {
        return findings;
    }

    /** Returns the constants that the filter sets as names of upstreams. */
    Set<String> upstreams() {
        return upstreams;
    }

    /** Returns the constants that the filter sets as route hosts. */
    Set<String> hosts() {
        return hosts;
    }

    /** Returns the names of the properties that the filter reads, if these names are constants in the source. */
    Set<String> properties() {
        return properties;
    }

    @Override
    protected SourceUnit getSourceUnit() {
        return source;
    }

    @Override
    public void visitAnnotations(AnnotatedNode node) {
        for (AnnotationNode each : node.getAnnotations()) {
            String name = Names.simple(each.getClassNode().getName());
            if (name.startsWith("Grab")) {
                change(
                        each,
                        "@" + name,
                        "the gateway does not download jars; put the jar into the directory filters.libraries");
            } else if (INJECTING.contains(name)) {
                change(each, "@" + name, "the gateway does not inject objects; create the object in the filter");
            }
        }
        super.visitAnnotations(node);
    }

    @Override
    public void visitMethodCallExpression(MethodCallExpression call) {
        String name = call.getMethodAsString();
        if (name != null) {
            List<Expression> arguments = arguments(call);
            if (isRefused(call, name)) {
                change(call, name, REFUSED.getOrDefault(name, ""));
            } else if (name.equals("setRouteHost")) {
                routeHost(call, arguments.isEmpty() ? null : arguments.get(0));
            } else if ((name.equals("set") || name.equals("put")) && arguments.size() == 2) {
                key(call, constant(arguments.get(0)), arguments.get(1));
            } else if (TYPED.contains(name)) {
                property(call, arguments.isEmpty() ? null : constant(arguments.get(0)));
            } else if (name.equals("getConfigInstance")) {
                property(call, null);
            }
        }
        super.visitMethodCallExpression(call);
    }

    private static boolean isRefused(MethodCallExpression call, String name) {
        return REFUSED.containsKey(name)
                && (!name.equals("exit") || call.getObjectExpression().getText().equals("System"));
    }

    @Override
    public void visitPropertyExpression(PropertyExpression expression) {
        String name = expression.getPropertyAsString();
        if ("session".equals(name) && endsWithRequest(expression.getObjectExpression())) {
            change(expression, "session", REFUSED.getOrDefault("getSession", ""));
        } else if ("configInstance".equals(name)) {
            property(expression, null);
        }
        super.visitPropertyExpression(expression);
    }

    private static boolean endsWithRequest(Expression of) {
        String name = of instanceof PropertyExpression property
                ? property.getPropertyAsString()
                : of instanceof MethodCallExpression call ? call.getMethodAsString() : of.getText();
        return "request".equals(name) || "getRequest".equals(name);
    }

    @Override
    public void visitBinaryExpression(BinaryExpression expression) {
        if (expression.getOperation().getType() == Types.ASSIGN
                && expression.getLeftExpression() instanceof PropertyExpression left) {
            key(expression, left.getPropertyAsString(), expression.getRightExpression());
        }
        super.visitBinaryExpression(expression);
    }

    @Override
    public void visitConstructorCallExpression(ConstructorCallExpression call) {
        String written = call.getType().getName();
        if (written.indexOf('.') >= 0) {
            dependency(call, names.qualified(written));
        }
        super.visitConstructorCallExpression(call);
    }

    /** Adds a finding if neither the extension nor the gateway provides the class. */
    void dependency(ASTNode at, String name) {
        if (ZuulApi.provides(name)) {
            return;
        }
        String remedy = ZuulApi.remedy(name);
        if (remedy != null) {
            change(at, name, remedy);
        } else {
            setting(at, name, "put its jar into the directory that filters.libraries names");
        }
    }

    private void key(ASTNode at, @Nullable String name, Expression value) {
        if ("routeHost".equals(name)) {
            routeHost(at, value);
        } else if (name != null && NAMED_UPSTREAMS.contains(name)) {
            String upstream = constant(value);
            if (upstream != null) {
                upstreams.add(upstream);
            }
            setting(
                    at,
                    name,
                    "name the upstream of " + (upstream == null ? "each value" : "'" + upstream + "'")
                            + " in extensions.zuul.vips");
        }
    }

    private void routeHost(ASTNode at, @Nullable Expression value) {
        String url = url(value);
        if (url != null) {
            hosts.add(url);
        }
        setting(
                at,
                "routeHost",
                "name the upstream of " + (url == null ? "each origin" : url) + " in extensions.zuul.route-hosts");
    }

    /** Returns the text of {@code new URL('...')}. */
    private static @Nullable String url(@Nullable Expression value) {
        return value instanceof ConstructorCallExpression created
                        && Names.simple(created.getType().getName()).equals("URL")
                        && created.getArguments() instanceof TupleExpression arguments
                        && arguments.getExpressions().size() == 1
                ? constant(arguments.getExpression(0))
                : null;
    }

    private void property(ASTNode at, @Nullable String name) {
        if (name != null) {
            properties.add(name);
        }
        setting(
                at,
                name == null ? "properties" : name,
                "name the file with the property in extensions.zuul.properties, unless the default suffices");
    }

    private static List<Expression> arguments(MethodCallExpression call) {
        return call.getArguments() instanceof ArgumentListExpression list ? list.getExpressions() : List.of();
    }

    static @Nullable String constant(@Nullable Expression value) {
        return value instanceof ConstantExpression constant && constant.getValue() instanceof String text ? text : null;
    }

    private void setting(ASTNode at, String subject, String action) {
        add(at, Verdict.SETTING, subject, action);
    }

    private void change(ASTNode at, String subject, String action) {
        add(at, Verdict.CHANGE, subject, action);
    }

    private void add(ASTNode at, Verdict verdict, String subject, String action) {
        findings.add(new Finding(
                Math.max(1, at.getLineNumber()), Math.max(1, at.getColumnNumber()), verdict, subject, action));
    }
}
