package dev.lychgate.testing;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.TYPE;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The sections that a test verifies: {@code @Rfc("9112, 6.3")}, or several of them. On a class it applies to every test in it.
 * If the rows of one test verify different sections, each row names its own, see {@link RfcRows}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({METHOD, TYPE})
public @interface Rfc {
    /** Each the number of an RFC, a comma, a blank and a section. */
    String[] value();
}
