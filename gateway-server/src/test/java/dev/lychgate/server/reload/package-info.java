@NullMarked
package dev.lychgate.server.reload;

import org.jspecify.annotations.NullMarked;
