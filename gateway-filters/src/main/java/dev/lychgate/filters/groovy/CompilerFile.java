package dev.lychgate.filters.groovy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import javax.tools.SimpleJavaFileObject;

/** A file in memory that the Java compiler reads or writes. */
abstract sealed class CompilerFile extends SimpleJavaFileObject {
    private CompilerFile(String path, Kind kind) {
        super(uri(path), kind);
    }

    private static URI uri(String path) {
        try {
            return new URI("filters", null, "/" + path, null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static String path(String className) {
        return className.replace('.', '/') + ".class";
    }

    /** A file with filter code. */
    static final class Source extends CompilerFile {
        private final FilterSource file;

        Source(FilterSource file) {
            super(file.path(), Kind.SOURCE);
            this.file = file;
        }

        FilterSource file() {
            return file;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return file.text();
        }
    }

    /** A compiled class. */
    static final class Output extends CompilerFile {
        private final String file;
        private final ByteArrayOutputStream code = new ByteArrayOutputStream();

        /**
         * Creates a file without content.
         *
         * @param file the path of the file with the source of the class
         */
        Output(String className, String file) {
            super(path(className), Kind.CLASS);
            this.file = file;
        }

        String file() {
            return file;
        }

        @Override
        public OutputStream openOutputStream() {
            return code;
        }

        @Override
        public InputStream openInputStream() {
            return new ByteArrayInputStream(code());
        }

        byte[] code() {
            return code.toByteArray();
        }
    }

    /** A class file of a library. */
    static final class Input extends CompilerFile {
        private final String className;
        private final byte[] code;

        Input(String className, byte[] code) {
            super(path(className), Kind.CLASS);
            this.className = className;
            this.code = code;
        }

        String className() {
            return className;
        }

        @Override
        public InputStream openInputStream() {
            return new ByteArrayInputStream(code);
        }
    }
}
