package dev.lychgate.filters.groovy;

import java.util.List;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ModuleNode;

/**
 * Classes without a package that have the name of a class that all files import, such as {@code Properties}. Gateways that
 * compile each file by itself accept such a class. In a common compilation, all other files would use it.
 */
final class HidingClasses {
    private HidingClasses() {}

    /**
     * Moves the classes of a file to a package if one of them would hide a class that all files import. The references within
     * the file continue to work; other files cannot refer to these classes.
     *
     * @param qualifier the name of a package of the file alone, with a dot at its end
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
