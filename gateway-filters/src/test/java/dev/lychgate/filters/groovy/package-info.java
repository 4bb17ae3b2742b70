/** Tests of filters written in Groovy: what they may say, what is refused, and how they come and go. */
@NullMarked
package dev.lychgate.filters.groovy;

import org.jspecify.annotations.NullMarked;
