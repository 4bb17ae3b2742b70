package dev.lychgate.filters.groovy;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Percent;
import dev.lychgate.config.Secret;
import dev.lychgate.filter.Setting;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.codehaus.groovy.ast.AnnotationNode;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ConstructorNode;
import org.codehaus.groovy.ast.FieldNode;
import org.codehaus.groovy.ast.GenericsType;
import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.expr.DeclarationExpression;
import org.codehaus.groovy.ast.expr.EmptyExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.ListExpression;
import org.codehaus.groovy.ast.expr.MapExpression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.PropertyExpression;
import org.codehaus.groovy.ast.expr.TupleExpression;
import org.codehaus.groovy.ast.expr.UnaryMinusExpression;
import org.codehaus.groovy.ast.expr.VariableExpression;
import org.codehaus.groovy.ast.stmt.BlockStatement;
import org.codehaus.groovy.ast.stmt.ExpressionStatement;
import org.codehaus.groovy.ast.stmt.Statement;
import org.codehaus.groovy.ast.tools.GeneralUtils;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the {@code settings} block of a script. The block itself never runs. For each setting, the class of the
 * script gets a final field with the annotation {@link Setting}. The constructor of the class accepts the values.
 *
 * <p>At the beginning of the script, each field is copied to a final variable, so that closures can read the value.
 * Defaults are constants, which are parsed like values of the configuration.
 */
final class SettingsBlock {
    /** The names of the declarations in scripts. A variable with one of these names would hide the declaration. */
    private static final Set<String> DECLARATIONS = Set.of(("order timeout failOpen failClosed body budget offload"
                    + " originalRequest name selfCheck applies filter async blocking shared cache counter timer property gauge"
                    + " closeLater onUnload")
            .split(" ", -1));

    private static final ClassNode SETTING = ClassHelper.make(Setting.class);
    /** The types that a setting may have without an import in the script. */
    private static final Map<String, Class<?>> TYPES = Map.of(
            "Duration", Duration.class,
            "ByteSize", ByteSize.class,
            "Percent", Percent.class,
            "Secret", Secret.class,
            "Pattern", com.google.re2j.Pattern.class);

    private final FilterSourceUnit unit;
    private final ModuleNode module;
    private final ClassNode script;
    private final Map<String, Integer> lines = new LinkedHashMap<>();

    private SettingsBlock(FilterSourceUnit unit, ModuleNode module, ClassNode script) {
        this.unit = unit;
        this.module = module;
        this.script = script;
    }

    /**
     * Removes the settings block from the script. For each setting, adds a field, a parameter of the constructor and a
     * variable.
     *
     * @return the line of each setting, by the name of the setting, in the order of declaration; empty if the script
     *     has no settings block
     */
    static Map<String, Integer> take(FilterSourceUnit unit, ModuleNode module, ClassNode script) {
        SettingsBlock settings = new SettingsBlock(unit, module, script);
        MethodNode run = script.getDeclaredMethod("run", Parameter.EMPTY_ARRAY);
        if (run != null && run.getCode() instanceof BlockStatement code) {
            settings.take(code.getStatements());
        }
        return settings.lines;
    }

    private void take(List<Statement> statements) {
        List<Statement> blocks =
                statements.stream().filter(each -> block(each) != null).toList();
        if (blocks.size() > 1) {
            unit.fault("a script can have only one settings block", blocks.get(1));
        }
        statements.removeAll(blocks);
        for (Statement each : blocks) {
            ClosureExpression block = block(each);
            if (block != null && block.getCode() instanceof BlockStatement code) {
                code.getStatements().forEach(this::declare);
            }
        }
        if (!lines.isEmpty()) {
            addConstructor();
            statements.addAll(0, lines.keySet().stream().map(this::local).toList());
        }
    }

    private static @Nullable ClosureExpression block(Statement statement) {
        return statement instanceof ExpressionStatement expression
                        && expression.getExpression() instanceof MethodCallExpression call
                        && call.isImplicitThis()
                        && "settings".equals(call.getMethodAsString())
                        && call.getArguments() instanceof TupleExpression arguments
                        && arguments.getExpressions().size() == 1
                        && arguments.getExpression(0) instanceof ClosureExpression closure
                ? closure
                : null;
    }

    private void declare(Statement statement) {
        if (!(statement instanceof ExpressionStatement expression)
                || !(expression.getExpression() instanceof DeclarationExpression declaration)
                || declaration.isMultipleAssignmentDeclaration()
                || declaration.getVariableExpression().isDynamicTyped()) {
            unit.fault("a settings block contains only typed declarations, such as: int size = 20", statement);
            return;
        }
        String name = declaration.getVariableExpression().getName();
        if (DECLARATIONS.contains(name)) {
            unit.fault("a setting can't be named " + name + ", which is a declaration of scripts", declaration);
        }
        FieldNode field = new FieldNode(
                name,
                Modifier.PUBLIC | Modifier.FINAL,
                typed(declaration.getVariableExpression().getOriginType()),
                script,
                null);
        field.setSourcePosition(declaration);
        field.addAnnotation(setting(declaration));
        if (lines.putIfAbsent(name, declaration.getVariableExpression().getLineNumber()) != null) {
            unit.fault("duplicate setting " + name + "", declaration);
            return;
        }
        script.addField(field);
    }

    private ClassNode typed(ClassNode type) {
        Class<?> known = TYPES.get(type.getName());
        if (known != null && module.getImportType(type.getName()) == null) {
            return ClassHelper.make(known);
        }
        GenericsType[] of = type.getGenericsTypes();
        if (of != null) {
            for (GenericsType each : of) {
                each.setType(typed(each.getType()));
            }
        }
        return type;
    }

    private AnnotationNode setting(DeclarationExpression declaration) {
        AnnotationNode setting = new AnnotationNode(SETTING);
        for (AnnotationNode own : declaration.getAnnotations()) {
            if (!own.getClassNode().getNameWithoutPackage().equals("Setting")) {
                unit.fault("a setting accepts no annotation except @Setting", own);
            }
            own.getMembers().forEach((member, value) -> {
                String text = constant(value, ClassHelper.STRING_TYPE);
                if (!List.of("about", "min", "max").contains(member) || text == null) {
                    unit.fault(
                            "@Setting accepts only the constants about, min and max; the default is written after"
                                    + " the name",
                            own);
                } else {
                    setting.setMember(member, new ConstantExpression(text));
                }
            });
        }
        addDefault(
                setting,
                declaration.getRightExpression(),
                declaration.getVariableExpression().getOriginType());
        return setting;
    }

    private void addDefault(AnnotationNode setting, Expression value, ClassNode type) {
        boolean nothing = value instanceof ConstantExpression constant && constant.getValue() == null;
        boolean empty = (value instanceof MapExpression map
                        && map.getMapEntryExpressions().isEmpty())
                || (value instanceof ListExpression list
                        && list.getExpressions().isEmpty());
        if (value instanceof EmptyExpression) {
            return;
        }
        if (nothing || empty) {
            setting.setMember("optional", new ConstantExpression(true, true));
            return;
        }
        if (value instanceof MapExpression) {
            unit.fault("the default of a mapping can only be [:]", value);
            return;
        }
        List<Expression> items = new ArrayList<>();
        List<Expression> written = value instanceof ListExpression list && !(value instanceof MapExpression)
                ? list.getExpressions()
                : List.of(value);
        for (Expression each : written) {
            String text = constant(each, item(type));
            if (text == null) {
                unit.fault(
                        "the default of a setting must be a constant, such as 20, '1s', 1.s, ['a', 'b']"
                                + " or an enum value",
                        each);
                return;
            }
            items.add(new ConstantExpression(text));
        }
        setting.setMember("defaultValue", new ListExpression(items));
    }

    /** Returns the type of the items if {@code type} is a list; returns {@code type} if it is not a list. */
    private static ClassNode item(ClassNode type) {
        GenericsType[] of = type.getGenericsTypes();
        return of == null ? type : of[of.length - 1].getType();
    }

    /**
     * Returns a constant in the form in which the configuration contains it: {@code 1s} for {@code 1.s}, and
     * {@code least-used} for {@code By.LEAST_USED} if the type is {@code By}. Returns null if the expression is not a
     * constant.
     */
    private static @Nullable String constant(Expression value, ClassNode type) {
        if (value instanceof ConstantExpression constant) {
            return constant.getValue() == null ? null : constant.getValue().toString();
        }
        if (value instanceof UnaryMinusExpression minus) {
            String text = constant(minus.getExpression(), type);
            return text == null ? null : "-" + text;
        }
        if (value instanceof PropertyExpression property && property.getPropertyAsString() != null) {
            if (property.getObjectExpression() instanceof ConstantExpression number) {
                return number.getValue() + property.getPropertyAsString();
            }
            String owner = property.getObjectExpression().getText();
            return owner.equals(type.getName()) || owner.equals(type.getNameWithoutPackage())
                    ? property.getPropertyAsString().toLowerCase(Locale.ROOT).replace('_', '-')
                    : null;
        }
        return null;
    }

    /**
     * Declares a local variable for a setting, so that closures capture the value. Without the variable, closures would
     * look up the field of the script by its name at each use.
     */
    private Statement local(String name) {
        VariableExpression variable =
                new VariableExpression(name, script.getDeclaredField(name).getType());
        variable.setModifiers(Modifier.FINAL);
        return GeneralUtils.declS(variable, GeneralUtils.propX(GeneralUtils.varX("this"), name));
    }

    /** Replaces the default constructors of the script with a constructor that accepts the values of the settings. */
    private void addConstructor() {
        Parameter values = new Parameter(ClassHelper.OBJECT_TYPE.makeArray(), "values");
        BlockStatement body = new BlockStatement();
        for (String name : lines.keySet()) {
            FieldNode field = script.getDeclaredField(name);
            int index = body.getStatements().size();
            body.addStatement(GeneralUtils.assignS(
                    GeneralUtils.propX(GeneralUtils.varX("this"), name),
                    GeneralUtils.castX(
                            field.getType(),
                            GeneralUtils.indexX(GeneralUtils.varX(values), GeneralUtils.constX(index, true)))));
        }
        script.getDeclaredConstructors().clear();
        script.addConstructor(
                new ConstructorNode(Modifier.PUBLIC, new Parameter[] {values}, ClassNode.EMPTY_ARRAY, body));
    }
}
