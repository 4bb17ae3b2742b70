@NullMarked
package dev.lychgate.postgresql;

import org.jspecify.annotations.NullMarked;
