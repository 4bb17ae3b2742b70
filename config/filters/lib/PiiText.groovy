import java.util.regex.Matcher
import java.util.regex.Pattern

/**
 * Masks e-mail addresses, payment card numbers, IBANs and phone numbers in a text that arrives in parts. The end of a part is held back
 * only if it may be the beginning of a match, so the result does not depend on the boundaries of the parts. At most about 650 characters
 * are held, the length of the longest address.
 */
class PiiText {
    /** A text that arrives in parts. */
    static class Parts {
        String held = ''
        /** The last character before {@code held}. */
        private char before = ' '
    }

    private static final Pattern EMAIL =
            ~/[\p{L}\p{N}._%+-]{1,64}+@[\p{L}\p{N}-]{1,63}+(?:\.[\p{L}\p{N}-]{1,63}+){1,8}+/
    /** Matches only numbers that begin with 2 to 6, as card numbers do. */
    private static final Pattern CARD = ~/[2-6](?:[ -]?[0-9]){12,18}+/
    private static final Pattern IBAN = ~/[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}+/
    /** Requires the country code, because numbers without it have no common form. */
    private static final Pattern PHONE = ~/\+[1-9](?:[ ().\/-]{0,2}[0-9]){6,14}+/

    private static final int NONE = 0
    /** The text may become a match. */
    private static final int OPEN = -1

    private final boolean emails
    private final boolean cards
    private final boolean ibans
    private final boolean phones
    private final String mask

    PiiText(boolean emails, boolean cards, boolean ibans, boolean phones, String mask) {
        this.emails = emails
        this.cards = cards
        this.ibans = ibans
        this.phones = phones
        this.mask = mask
    }

    /** Masks a complete text. */
    String mask(String text) {
        next(new Parts(), text, true)
    }

    /** Returns the masked text up to the first character that is held back. @param last whether the text ends with this part */
    String next(Parts parts, String part, boolean last) {
        String all = parts.before.toString() + parts.held + part
        StringBuilder masked = new StringBuilder(all.length())
        int at = 1
        while (at < all.length()) {
            int end = begins(all, at) ? match(all, at, last) : NONE
            if (end == OPEN) {
                break
            }
            if (end == NONE) {
                masked.append(all.charAt(at))
                at++
            } else {
                masked.append(mask)
                at = end
            }
        }
        parts.before = all.charAt(at - 1)
        parts.held = all.substring(at)
        masked.toString()
    }

    /** Returns whether a JSON number is a card number. */
    boolean isCard(Number number) {
        String digits = number.toString()
        cards && digits ==~ /[2-6][0-9]{12,18}/ && isLuhn(digits)
    }

    /** Returns whether a match may begin here: at the beginning of a word, or at the first digit within a word. */
    private static boolean begins(String text, int at) {
        char c = text.charAt(at)
        char before = text.charAt(at - 1)
        if (!Character.isLetterOrDigit(before)) {
            return Character.isLetterOrDigit(c) || c == ('+' as char)
        }
        isDigit(c) && !isDigit(before)
    }

    private static boolean isDigit(char c) {
        c >= ('0' as char) && c <= ('9' as char)
    }

    private int match(String text, int at, boolean last) {
        int end = emails ? candidate(EMAIL, text, at, last) : NONE
        if (end == NONE && ibans) {
            end = longest(IBAN, text, at, last, 15) { String each -> isIban(each) }
        }
        if (end == NONE && cards) {
            end = longest(CARD, text, at, last, 13) { String each -> isLuhn(each) }
        }
        if (end == NONE && phones) {
            end = longest(PHONE, text, at, last, 8) { String each -> true }
        }
        end
    }

    /** Returns the end of the match, NONE or OPEN. */
    private static int candidate(Pattern pattern, String text, int at, boolean last) {
        Matcher matcher = pattern.matcher(text).region(at, text.length())
        boolean found = matcher.lookingAt()
        !last && matcher.hitEnd() ? OPEN : found ? matcher.end() : NONE
    }

    /** Returns the end of the longest valid part of the match that ends at the end of a word. The rest may be another word. */
    private static int longest(Pattern pattern, String text, int at, boolean last, int least, Closure<Boolean> valid) {
        int end = candidate(pattern, text, at, last)
        for (int to = end; to >= at + least; to--) {
            boolean word = Character.isLetterOrDigit(text.charAt(to - 1))
            if (word && (to == text.length() || !Character.isLetterOrDigit(text.charAt(to)))
                    && valid(text.substring(at, to).replaceAll('[ -]', ''))) {
                return to
            }
        }
        end == OPEN ? OPEN : NONE
    }

    /** Returns whether the check digit of a card number is correct. */
    private static boolean isLuhn(String digits) {
        if (digits.length() < 13) {
            return false
        }
        int sum = 0
        for (int i = 0; i < digits.length(); i++) {
            int digit = Character.digit(digits.charAt(digits.length() - 1 - i), 10)
            int counted = i % 2 == 0 ? digit : 2 * digit
            sum += counted > 9 ? counted - 9 : counted
        }
        sum % 10 == 0
    }

    /** Returns whether the check digits of an IBAN are correct (ISO 13616). */
    private static boolean isIban(String iban) {
        String moved = iban.substring(4) + iban.substring(0, 4)
        int rest = 0
        for (int i = 0; i < moved.length(); i++) {
            int value = Character.digit(moved.charAt(i), 36)
            rest = (value < 10 ? rest * 10 + value : rest * 100 + value) % 97
        }
        iban.length() >= 15 && rest == 1
    }
}
