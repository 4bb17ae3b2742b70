@NullMarked
package dev.lychgate.server.history;

import org.jspecify.annotations.NullMarked;
