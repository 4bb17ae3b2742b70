package dev.lychgate.config;

/**
 * Which unsafe paths a listener lets through; each is refused with 400 by default. Raw control bytes are refused under
 * every policy.
 *
 * @param allowEncodedSlash {@code %2F} stays encoded and is passed on
 * @param allowBackslash {@code \} and {@code %5C} are passed on (as {@code %5C})
 * @param allowControl encoded control bytes ({@code %00} to {@code %1F}, {@code %7F}) stay encoded and are passed on
 * @param allowDotParameters dot segments with parameters ({@code ..;x/}) are passed on as ordinary segments
 * @param allowAboveRoot dot segments that climb above the root stop at the root
 * @param allowNonAscii overlong UTF-8 ({@code %C0%AF}) is passed on; well-formed percent-encoded UTF-8 needs no permission.
 *     The decoders refuse bytes outside ASCII that are not percent-encoded, under every policy
 * @param parameters how path parameters are treated; default {@link ParameterPolicy#AUTO}
 */
public record PathPolicy(
        boolean allowEncodedSlash,
        boolean allowBackslash,
        boolean allowControl,
        boolean allowDotParameters,
        boolean allowAboveRoot,
        boolean allowNonAscii,
        ParameterPolicy parameters) {
    /** Everything unsafe is refused. */
    public static final PathPolicy STRICT = new PathPolicy(false, false, false, false, false, false);

    /** With path parameters as by default. */
    public PathPolicy(
            boolean allowEncodedSlash,
            boolean allowBackslash,
            boolean allowControl,
            boolean allowDotParameters,
            boolean allowAboveRoot,
            boolean allowNonAscii) {
        this(
                allowEncodedSlash,
                allowBackslash,
                allowControl,
                allowDotParameters,
                allowAboveRoot,
                allowNonAscii,
                ParameterPolicy.AUTO);
    }
}
