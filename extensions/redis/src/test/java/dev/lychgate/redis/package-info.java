@NullMarked
package dev.lychgate.redis;

import org.jspecify.annotations.NullMarked;
