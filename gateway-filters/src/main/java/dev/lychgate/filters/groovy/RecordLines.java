package dev.lychgate.filters.groovy;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import org.jspecify.annotations.Nullable;

/**
 * Records the line of each component of each record in Java files, so that errors of settings contain the line. This
 * class requires a JDK, because a JRE lacks classes that it uses.
 */
final class RecordLines implements TaskListener {
    private final JavacTask task;
    private final Map<String, Map<String, Integer>> lines = new HashMap<>();

    private RecordLines(JavacTask task) {
        this.task = task;
    }

    /**
     * Returns a map from {@link #key} to the lines of the components of a record. The map is empty until {@code task}
     * runs, which fills the map.
     */
    static Map<String, Map<String, Integer>> of(JavaCompiler.CompilationTask task) {
        RecordLines listener = new RecordLines((JavacTask) task);
        listener.task.addTaskListener(listener);
        return listener.lines;
    }

    /**
     * Returns the key for the lines of a record.
     *
     * @param file the path of the file that declares the record
     */
    static String key(String file, String simpleName) {
        return file + " " + simpleName;
    }

    @Override
    public void finished(TaskEvent event) {
        CompilationUnitTree unit = event.getCompilationUnit();
        if (event.getKind() == TaskEvent.Kind.PARSE && unit != null) {
            String file = event.getSourceFile().toUri().getPath().substring(1);
            unit.accept(new Records(file, unit), null);
        }
    }

    private final class Records extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final String file;
        private final CompilationUnitTree unit;

        Records(String file, CompilationUnitTree unit) {
            this.file = file;
            this.unit = unit;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void none) {
            if (type.getKind() == Tree.Kind.RECORD) {
                Map<String, Integer> components = new LinkedHashMap<>();
                for (Tree member : type.getMembers()) {
                    if (member instanceof VariableTree field
                            && !field.getModifiers().getFlags().contains(Modifier.STATIC)) {
                        long start = Trees.instance(task).getSourcePositions().getStartPosition(unit, field.getType());
                        components.put(field.getName().toString(), (int)
                                unit.getLineMap().getLineNumber(start));
                    }
                }
                lines.put(key(file, type.getSimpleName().toString()), components);
            }
            return super.visitClass(type, null);
        }

        /**
         * Does not visit the bodies of methods, because they declare no settings, and their expressions may be nested
         * too deeply.
         */
        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void none) {
            return null;
        }

        @Override
        public @Nullable Void visitVariable(VariableTree field, @Nullable Void none) {
            return null;
        }

        @Override
        public @Nullable Void visitBlock(BlockTree initializer, @Nullable Void none) {
            return null;
        }
    }
}
