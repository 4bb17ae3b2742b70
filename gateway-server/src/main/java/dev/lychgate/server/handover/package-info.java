/**
 * Replaces the process of a gateway without closing its listening sockets. The old process uses {@link
 * dev.lychgate.server.handover.Successor} to start the new one. The new process uses {@link
 * dev.lychgate.server.handover.Predecessor} to receive the sockets. In: the descriptors of
 * listening sockets. Out: {@link dev.lychgate.listener.InheritedSockets} of the new process.
 */
@NullMarked
package dev.lychgate.server.handover;

import org.jspecify.annotations.NullMarked;
