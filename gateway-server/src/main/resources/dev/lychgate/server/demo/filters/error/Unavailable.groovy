import dev.lychgate.error.ErrorKind

// Replaces the problem document of an open circuit with a response that the clients of a shop understand.

applies { it.error.kind() == ErrorKind.CIRCUIT_OPEN }

filter {
    it.respond(503)
            .json('{"message":"Payments are unavailable. Please try again in a moment."}\n')
            .header('retry-after', '5')
}
