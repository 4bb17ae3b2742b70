import dev.lychgate.filter.ServerSentEvent

/** An event that records the events inserted before it. */
class SentEvent implements ServerSentEvent {
    String data
    String type
    List<SentEvent> before = []

    String getType() { type ?: 'message' }
    String getId() { null }
    void setId(String id) {}
    Duration getRetry() { null }
    void setRetry(Duration time) {}
    void drop() {}
    ServerSentEvent insertBefore(String data) { before << new SentEvent(data: data); before.last() }
    ServerSentEvent insertAfter(String data) { throw new UnsupportedOperationException() }

    List<String> all() { before*.data + [data] }
}

def events = { new PiiEvents(new PiiText(true, true, true, true, '***'), ['parts.text'] as Set) }
/** Returns the data of the events that are sent for one received event. */
def sent = { PiiEvents all, String data, String type = null ->
    def event = new SentEvent(data: data, type: type)
    all.next(event)
    event.all()
}

test('the end of a text is held back until the next part') {
    def all = events()
    assert sent(all, '{"parts":[{"text":"to ada@exa"}]}') == ['{"parts":[{"text":"to "}]}']
    assert sent(all, '{"parts":[{"text":"mple.com "}]}') == ['{"parts":[{"text":"*** "}]}']
    assert all.end().length == 0
}

test('items of arrays are distinguished by index or position') {
    def all = events()
    assert sent(all, '{"parts":[{"text":"ada@exa"},{"text":"bob@exa"}]}') == ['{"parts":[{"text":""},{"text":""}]}']
    assert sent(all, '{"parts":[{"index":1,"text":"mple.org "},{"index":0,"text":"mple.com "}]}') ==
            ['{"parts":[{"index":1,"text":"*** "},{"index":0,"text":"*** "}]}']
}

test('an event that ends all texts follows the rest of each text') {
    def all = events()
    sent(all, '{"parts":[{"text":"a"},{"text":"b"}],"n":1}')
    assert sent(all, '{"type":"message_stop"}') ==
            ['{"parts":[{"text":"a"},{"text":""}],"n":1}', '{"parts":[{"text":""},{"text":"b"}],"n":1}', '{"type":"message_stop"}']
}

test('an event ends only the texts of its block') {
    def all = events()
    sent(all, '{"output_index":0,"content_index":0,"parts":[{"text":"a"}]}')
    sent(all, '{"output_index":0,"content_index":1,"parts":[{"text":"b"}]}')
    sent(all, '{"output_index":1,"content_index":0,"parts":[{"text":"c"}]}')
    assert sent(all, '{"type":"part.done","output_index":0,"content_index":1}').size() == 2
    assert sent(all, '{"type":"item.done","output_index":0}').size() == 2
    assert sent(all, '{"type":"response.completed"}').size() == 2
    assert all.end().length == 0
}

test('the rest at the end of the body is an event with the type of the last one') {
    def all = events()
    sent(all, '{"parts":[{"text":"ada@example.com"}]}', 'delta')
    all.piece('data: x\n\n'.bytes)
    assert new String(all.end()) == '\nevent: delta\ndata: {"parts":[{"text":"***"}]}\n\n'
}

test('data that is not JSON is masked separately') {
    assert sent(events(), 'ada@example.com') == ['***']
    assert sent(events(), '[ada@example.com]') == ['[***]']
    assert sent(events(), '') == ['']
}
