@NullMarked
package dev.lychgate.server.filters;

import org.jspecify.annotations.NullMarked;
