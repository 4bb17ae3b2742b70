@NullMarked
package dev.lychgate.server.textlog;

import org.jspecify.annotations.NullMarked;
