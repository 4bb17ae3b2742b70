/** Event loops of the servers and clients beside the gateway: admin listener, demo origin and demo traffic. */
@NullMarked
package dev.lychgate.server.loop;

import org.jspecify.annotations.NullMarked;
