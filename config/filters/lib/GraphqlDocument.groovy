/**
 * Measures a GraphQL document in one pass, without a syntax tree: the nesting depth of its fields and the number of its aliases. Both are
 * measured as the server executes the document, with every fragment in place of its spreads. The work is linear in the length of the
 * document.
 *
 * <p>Valid documents are measured exactly. Invalid documents may pass, because the server rejects them before it executes anything.
 *
 * @see <a href="https://spec.graphql.org/October2021/#sec-Language">GraphQL, 2 Language</a>
 */
class GraphqlDocument {
    /** Maximum number of definitions, which bounds the recursion over fragments that spread each other. */
    static final int MOST_DEFINITIONS = 200

    /** An operation or a fragment, without the content of its spreads. */
    private static class Definition {
        int depth
        int aliases
        /** The level above the deepest spread of a fragment, and the number of its spreads, by the name of the fragment. */
        final Map<String, int[]> spreads = [:]
        /** Depth and aliases with all spreads; null until they are computed. */
        int[] measured
        boolean open
    }

    private final String text
    private int at
    private final List<Definition> definitions = []
    private final Map<String, Definition> fragments = [:]

    /** Number of fields on the longest path from an operation to a leaf. Fragments do not count as levels. */
    final int depth
    /** Number of aliases in the operation that has the most aliases. */
    final int aliases

    /** @throws IllegalArgumentException if the document is malformed, or spreads an unknown fragment or a fragment within itself */
    GraphqlDocument(String text) {
        this.text = text
        parse()
        int deepest = 0
        int most = 0
        for (Definition each : definitions) {
            int[] measured = measure(each)
            deepest = Math.max(deepest, measured[0])
            most = Math.max(most, measured[1])
        }
        depth = deepest
        aliases = most
    }

    private void parse() {
        for (String token = next(); token != null; token = next()) {
            if (definitions.size() == MOST_DEFINITIONS) {
                throw malformed("more than $MOST_DEFINITIONS definitions")
            }
            Definition definition = new Definition()
            definitions << definition
            if (token == 'fragment') {
                String name = next()
                if (name == null || fragments.put(name, definition) != null) {
                    throw malformed('a fragment without a name')
                }
            } else if (!(token in ['query', 'mutation', 'subscription', '{'])) {
                throw malformed('neither an operation nor a fragment')
            }
            while (token != '{') {
                token = token == '(' ? skipValues() : next()
                if (token == null || token == '}') {
                    throw malformed('a definition without a selection set')
                }
            }
            selection(definition)
        }
        if (definitions.empty) {
            throw malformed('no operation')
        }
    }

    /** Reads up to the brace that closes the definition. */
    private void selection(Definition definition) {
        // For each open brace, whether it belongs to an inline fragment, which adds no depth.
        BitSet inline = new BitSet()
        int braces = 1
        int level = 1
        boolean fragment = false
        String token = next()
        while (braces > 0) {
            String following = null
            if (token == null) {
                throw malformed('a selection set without its end')
            } else if (token == '{') {
                inline.set(++braces, fragment)
                level += fragment ? 0 : 1
                fragment = false
            } else if (token == '}') {
                level -= inline.get(braces--) ? 0 : 1
                fragment = false
                if (braces == 0) {
                    return
                }
            } else if (token == '...') {
                following = next()
                fragment = true
                if (following == 'on') {
                    next()
                    following = null
                } else if (isName(following)) {
                    fragment = false
                    // A fragment may be spread many times. Only the deepest place and the number of spreads are kept.
                    int[] spread = definition.spreads.computeIfAbsent(following, { String name -> new int[2] })
                    // The outermost fields of the fragment are at this level, and the depth of the fragment includes it. Therefore, the
                    // level above it is stored.
                    spread[0] = Math.max(spread[0], level - 1)
                    spread[1]++
                    following = null
                }
            } else if (token == '@') {
                next()
            } else if (token == '(') {
                skipValues()
            } else if (isName(token)) {
                fragment = false
                definition.depth = Math.max(definition.depth, level)
                following = next()
                if (following == ':') {
                    definition.aliases++
                    next()
                    following = null
                }
            } else {
                throw malformed('an unexpected character in a selection set')
            }
            token = following ?: next()
        }
    }

    /** Skips arguments or variables. Braces within them belong to values, not to selection sets. */
    private String skipValues() {
        int open = 1
        String token = ''
        while (open > 0) {
            token = next()
            if (token == null) {
                throw malformed('a parenthesis without its end')
            }
            open += token == '(' ? 1 : token == ')' ? -1 : 0
        }
        token
    }

    /** @return depth and aliases with all fragments; each fragment is measured once, regardless of its number of spreads */
    private int[] measure(Definition definition) {
        if (definition.measured != null) {
            return definition.measured
        }
        if (definition.open) {
            throw malformed('a fragment within itself')
        }
        definition.open = true
        long depth = definition.depth
        long aliases = definition.aliases
        for (Map.Entry<String, int[]> spread : definition.spreads.entrySet()) {
            Definition fragment = fragments.get(spread.key)
            if (fragment == null) {
                throw malformed('an unknown fragment')
            }
            int[] inner = measure(fragment)
            depth = Math.max(depth, (long) spread.value[0] + inner[0])
            // If each fragment spreads the next one twice, the aliases double at each step. The sum is bounded so that it does not
            // overflow.
            aliases = Math.min((long) Integer.MAX_VALUE, aliases + (long) spread.value[1] * inner[1])
        }
        definition.measured = [(int) Math.min((long) Integer.MAX_VALUE, depth), (int) aliases] as int[]
        definition.measured
    }

    // ---- tokens

    /** @return a name, a number, a punctuator, or '"' for a whole string; null at the end */
    private String next() {
        while (at < text.length() && isIgnored(text.charAt(at))) {
            if (text.charAt(at) == (char) '#') {
                skipLine()
            } else {
                at++
            }
        }
        if (at == text.length()) {
            return null
        }
        int begin = at
        char c = text.charAt(at)
        if (c == (char) '"') {
            skipString()
            return '"'
        }
        if (isWord(c)) {
            while (at < text.length() && isWord(text.charAt(at))) {
                at++
            }
            return text.substring(begin, at)
        }
        if (text.startsWith('...', at)) {
            at += 3
            return '...'
        }
        if ('!$&():=@[]{|}.+-'.indexOf((int) c) < 0) {
            throw malformed('an unknown character')
        }
        at++
        String.valueOf(c)
    }

    private void skipLine() {
        while (at < text.length() && text.charAt(at) != (char) '\n' && text.charAt(at) != (char) '\r') {
            at++
        }
    }

    private void skipString() {
        boolean block = text.startsWith('"""', at)
        at += block ? 3 : 1
        while (at < text.length()) {
            char c = text.charAt(at)
            if (block && text.startsWith('\\"""', at)) {
                at += 4
            } else if (block && text.startsWith('"""', at)) {
                at += 3
                return
            } else if (!block && c == (char) '\\') {
                at += 2
            } else if (!block && c == (char) '"') {
                at++
                return
            } else if (!block && (c == (char) '\n' || c == (char) '\r')) {
                break
            } else {
                at++
            }
        }
        throw malformed('a string without its end')
    }

    private static boolean isIgnored(char c) {
        c == (char) ' ' || c == (char) '\t' || c == (char) '\n' || c == (char) '\r' || c == (char) ',' || c == (char) '#' ||
                c == (char) '\uFEFF'
    }

    private static boolean isWord(char c) {
        c >= (char) 'a' && c <= (char) 'z' || c >= (char) 'A' && c <= (char) 'Z' || c >= (char) '0' && c <= (char) '9' ||
                c == (char) '_'
    }

    private static boolean isName(String token) {
        token != null && isWord(token.charAt(0)) && !Character.isDigit(token.charAt(0))
    }

    private static IllegalArgumentException malformed(String what) {
        new IllegalArgumentException('malformed query: ' + what)
    }
}
