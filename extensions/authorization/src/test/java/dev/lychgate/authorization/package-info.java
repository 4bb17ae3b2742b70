@NullMarked
package dev.lychgate.authorization;

import org.jspecify.annotations.NullMarked;
