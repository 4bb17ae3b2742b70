package dev.lychgate.identity;

/** The hash of a password, with its algorithm, parameters and salt. Immutable and thread-safe. */
interface PasswordHash {
    /**
     * Computes the hash of a password and compares the result with this hash. The computation is the same whether or
     * not the password matches. Takes up to about a second.
     *
     * @param password the password in UTF-8
     */
    boolean matches(byte[] password);

    /** Returns the algorithm and its parameters without the salt. Hashes of one kind have the same cost. */
    String kind();

    /** Returns the memory that a computation needs, in bytes. */
    long memory();

    /**
     * Parses a hash.
     *
     * @throws IllegalArgumentException if the algorithm is not supported, or its parameters are too weak or too
     *     costly; the message describes the expected hash and contains no part of the refused hash
     */
    static PasswordHash parse(String text) {
        if (text.startsWith(Argon2idHash.PREFIX)) {
            return Argon2idHash.parse(text);
        }
        if (BcryptHash.looksLike(text)) {
            return BcryptHash.parse(text);
        }
        throw new IllegalArgumentException("a bcrypt hash, $2y$, $2b$ or $2a$, or an Argon2id hash, $argon2id$");
    }
}
