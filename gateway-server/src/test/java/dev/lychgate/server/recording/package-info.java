@NullMarked
package dev.lychgate.server.recording;

import org.jspecify.annotations.NullMarked;
