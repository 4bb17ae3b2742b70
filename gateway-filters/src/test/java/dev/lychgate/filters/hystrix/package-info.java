@NullMarked
package dev.lychgate.filters.hystrix;

import org.jspecify.annotations.NullMarked;
