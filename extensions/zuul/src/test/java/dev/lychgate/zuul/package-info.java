@NullMarked
package dev.lychgate.zuul;

import org.jspecify.annotations.NullMarked;
