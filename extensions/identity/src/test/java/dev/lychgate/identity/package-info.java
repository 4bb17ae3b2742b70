@NullMarked
package dev.lychgate.identity;

import org.jspecify.annotations.NullMarked;
