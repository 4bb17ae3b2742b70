@NullMarked
package dev.lychgate.server.engine;

import org.jspecify.annotations.NullMarked;
