package dev.lychgate.filters.coding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The coding for an Accept-Encoding, if the server prefers zstd to br to gzip. */
class AcceptEncodingTest {
    private static final List<ContentCoding> OFFERED =
            List.of(ContentCoding.ZSTD, ContentCoding.BR, ContentCoding.GZIP);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // equal weights: the preference of the server
                "gzip, deflate, br, zstd        | ZSTD",
                "gzip, deflate, br              | BR",
                "gzip, deflate                  | GZIP",
                "gzip;q=0.5, br;q=0.5           | BR",
                // several weights: the preference of the client
                "gzip;q=1.0, br;q=0.9, zstd;q=0 | GZIP",
                "zstd;q=0.001, gzip;q=0.002     | GZIP",
                "GZIP;Q=0.7 , br ; q=0.6        | GZIP",
                // wildcard
                "*                              | ZSTD",
                "zstd;q=0, *                    | BR",
                "*;q=0                          | -",
                "*;q=0, gzip                    | GZIP",
                "gzip;q=0, *;q=0.1              | ZSTD",
                // no supported coding
                "deflate                        | -",
                "compress, snappy               | -",
                "gzip;q=0                       | -",
                "gzip;q=0.000                   | -",
                "''                             | -",
                // identity
                "identity                       | -",
                "identity, gzip;q=0.5           | -",
                "identity;q=0.5, gzip;q=0.5     | GZIP",
                "identity;q=0, gzip             | GZIP",
                "identity;q=0                   | -",
                // other names, and malformed fields
                "x-gzip                         | GZIP",
                "gzip;q=2                       | -",
                "gzip;q=nan, br                 | BR",
                "gzip;q=0.1234                  | -",
                "gzip;level=9                   | GZIP",
                ",,gzip,,                       | GZIP",
                "gzip br                        | -",
            })
    void choosesByWeightsAndThenByThePreferenceOfTheServer(String field, @Nullable ContentCoding chosen) {
        assertThat(AcceptEncoding.of(List.of(field)).choose(OFFERED)).isEqualTo(chosen);
        assertThat(AcceptEncoding.of(new ArrayList<>(List.of(field.split(",", -1))))
                        .choose(OFFERED))
                .as("a field for each")
                .isEqualTo(chosen);
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    void choosesNothingWithoutTheHeader(int fields) {
        assertThat(AcceptEncoding.of(List.of("", "").subList(0, fields)).choose(OFFERED))
                .isNull();
    }
}
