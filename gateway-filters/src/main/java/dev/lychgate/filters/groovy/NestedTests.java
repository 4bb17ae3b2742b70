package dev.lychgate.filters.groovy;

import java.util.List;
import org.codehaus.groovy.ast.AnnotationNode;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.InnerClassNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds nested classes that are tests, and removes their members, because the libraries of tests are not on the class
 * path of filters.
 */
public final class NestedTests {
    private static final Logger LOG = LoggerFactory.getLogger(NestedTests.class);

    private NestedTests() {}

    /**
     * Empties the nested test classes of a file.
     *
     * @param annotations the simple names of the annotations that mark a class, or one of its methods, as a test
     */
    static void drop(ModuleNode module, List<String> annotations) {
        for (ClassNode type : List.copyOf(module.getClasses())) {
            if (isTest(type, annotations)) {
                empty(type);
                LOG.debug("{}: class {} is a test and is not compiled", module.getDescription(), type.getName());
            }
        }
    }

    /**
     * Returns whether a class is a nested class that is a test.
     *
     * @param annotations the simple names of the annotations that mark a class, or one of its methods, as a test
     */
    public static boolean isTest(ClassNode type, List<String> annotations) {
        return type instanceof InnerClassNode
                && (has(type.getAnnotations(), annotations)
                        || type.getMethods().stream().anyMatch(method -> has(method.getAnnotations(), annotations)));
    }

    private static boolean has(List<AnnotationNode> present, List<String> annotations) {
        return present.stream()
                .anyMatch(each -> annotations.contains(each.getClassNode().getNameWithoutPackage()));
    }

    /** Removes all members of a test class. The class itself is kept, because its outer class refers to it. */
    private static void empty(ClassNode test) {
        test.getAnnotations().clear();
        List.copyOf(test.getMethods()).forEach(test::removeMethod);
        List.copyOf(test.getDeclaredConstructors()).forEach(test::removeConstructor);
        test.getProperties().clear();
        List.copyOf(test.getFields()).forEach(field -> test.removeField(field.getName()));
        test.getObjectInitializerStatements().clear();
        test.setSuperClass(ClassHelper.OBJECT_TYPE);
        test.setInterfaces(ClassNode.EMPTY_ARRAY);
    }
}
