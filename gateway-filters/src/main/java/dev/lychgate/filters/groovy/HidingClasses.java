package dev.lychgate.filters.groovy;

import java.util.List;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ModuleNode;

/**
 * Moves classes that would hide imported classes. Such a class has no package, and has the name of a class that all
 * files import, such as {@code Properties}. A gateway that compiles each file separately accepts the class. In
 * contrast, Lychgate compiles all files together, so every file would use the class in place of the imported class.
 */
final class HidingClasses {
    private HidingClasses() {}

    /**
     * Moves the classes of a file to a package if one of the classes would hide a class that all files import. The
     * references within the file continue to work. Other files cannot refer to the moved classes.
     *
     * @param qualifier the name of a package for this file alone, with a dot at its end
     */
    static void qualify(ModuleNode module, String qualifier) {
        if (module.hasPackageName() || module.getClasses().stream().noneMatch(HidingClasses::hides)) {
            return;
        }
        for (ClassNode type : List.copyOf(module.getClasses())) {
            type.setName(qualifier + type.getName());
        }
        module.setPackageName(qualifier);
    }

    private static boolean hides(ClassNode type) {
        return !type.isScript() && RefusedDeclarations.importedByDefault(type.getName()) != null;
    }
}
