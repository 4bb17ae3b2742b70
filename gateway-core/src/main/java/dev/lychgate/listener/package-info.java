/**
 * Station <em>listener</em>: the bound port and the connections of its clients. Bytes arrive here; what leaves is a
 * request head, given to a new {@link dev.lychgate.exchange.Exchange}, which comes next. On the way back the answer is
 * framed for this client here, and here it is decided whether the connection is kept. One request per connection is
 * under way at any time; pipelined ones wait as bytes.
 */
@NullMarked
package dev.lychgate.listener;

import org.jspecify.annotations.NullMarked;
