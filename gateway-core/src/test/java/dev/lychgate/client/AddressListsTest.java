package dev.lychgate.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.AddressListConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.PoliciesConfig;
import dev.lychgate.config.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressListsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    private static GatewayConfig config(AddressListConfig list) {
        return new GatewayConfig(
                        1,
                        Transport.AUTO,
                        GatewayConfig.DEFAULT_DRAIN,
                        List.of(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0))),
                        List.of(),
                        Map.of(),
                        null,
                        AccessLogConfig.DEFAULT)
                .withPolicies(new PoliciesConfig(Map.of(), Map.of("bad", list), ClientsConfig.DEFAULT));
    }

    private AddressListConfig file(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("list.txt"), text);
        return new AddressListConfig(List.of(), List.of(file.toString()));
    }

    private static AddressSet read(AddressListConfig list) {
        return requireNonNull(AddressLists.of(config(list), null).all().get("bad"));
    }

    private static InetAddress address(String text) {
        return requireNonNull(IpLiteral.address(text));
    }

    @Test
    void linesHaveAddressesBlocksAndComments() throws IOException {
        AddressSet set = read(file("# a list\r\n\n192.0.2.7\n  198.51.100.0/24 ; SBL1\n2001:db8::/32 # net\n"));
        assertThat(set.size()).isEqualTo(3);
        assertThat(set.contains(address("192.0.2.7"))).isTrue();
        assertThat(set.contains(address("198.51.100.200"))).isTrue();
        assertThat(set.contains(address("2001:db8::1"))).isTrue();
        assertThat(set.contains(address("192.0.2.8"))).isFalse();
    }

    @Test
    void addressesOfTheConfigurationAndOfFilesAreOneList() throws IOException {
        AddressListConfig list = new AddressListConfig(
                List.of(Cidr.parse("203.0.113.0/24")), file("192.0.2.7\n").files());
        assertThat(read(list).contains(address("203.0.113.9"))).isTrue();
        assertThat(read(list).contains(address("192.0.2.7"))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.300, 'line 2: 192.0.2.300 (expected: an address block such as 10.0.0.0/8 or 2001:db8::/32)'",
        "10.0.0.1/8, 'line 2: 10.0.0.1/8 (expected: an address with no bits set beyond /8)'",
        "10.0.0.0/33, 'line 2: 10.0.0.0/33 (expected: a prefix length from 0 to 32)'",
        "10.0.0.0/, 'line 2: 10.0.0.0/ (expected: a prefix length from 0 to 32)'",
        "10.0.0.0/8x, 'line 2: 10.0.0.0/8x (expected: a prefix length from 0 to 32)'",
        "host.example, 'line 2: host.example (expected: an address block such as 10.0.0.0/8 or 2001:db8::/32)'",
    })
    void aMalformedLineRefusesTheList(String line, String reason) throws IOException {
        AddressListConfig list = file("192.0.2.1\n" + line + "\n192.0.2.2\n");
        assertThatThrownBy(() -> read(list))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("address-lists.bad.files")
                .hasMessageContaining("list.txt: " + reason);
    }

    @Test
    void aMissingFileRefusesTheList() {
        AddressListConfig list = new AddressListConfig(
                List.of(), List.of(directory.resolve("absent.txt").toString()));
        assertThatThrownBy(() -> read(list)).hasMessageContaining("absent.txt: there is no such file");
    }

    /** A sparse file, for example, would not fit into the heap as a whole. */
    @Test
    void aLongLineIsRefusedBeforeItIsRead() throws IOException {
        AddressListConfig list = file("192.0.2.1\n" + "0".repeat(2_000) + "\n");
        assertThatThrownBy(() -> read(list)).hasMessageContaining("list.txt: line 2 is longer than 1024 bytes");
    }

    @Test
    void aByteOrderMarkAndCommentsOfAnyBytesAreIgnored() throws IOException {
        Path file = Files.write(
                directory.resolve("latin.txt"),
                "\u00ef\u00bb\u00bf192.0.2.1 # caf\u00e9\r\n".getBytes(StandardCharsets.ISO_8859_1));
        AddressListConfig list = new AddressListConfig(List.of(), List.of(file.toString()));
        assertThat(read(list).contains(address("192.0.2.1"))).isTrue();
    }

    @Test
    void aDirectoryAndBytesThatAreNoTextAreRefused() throws IOException {
        AddressListConfig list = new AddressListConfig(List.of(), List.of(directory.toString()));
        assertThatThrownBy(() -> read(list)).hasMessageContaining("is not a regular file");
        Path binary = Files.write(directory.resolve("binary"), new byte[] {'1', '\n', (byte) 0xff, (byte) 0xfe});
        AddressListConfig other = new AddressListConfig(List.of(), List.of(binary.toString()));
        assertThatThrownBy(() -> read(other)).isInstanceOf(ConfigException.class);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeIsRefusedInsteadOfAwaited() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        AddressListConfig list = new AddressListConfig(List.of(), List.of(pipe.toString()));
        assertThatThrownBy(() -> read(list)).hasMessageContaining("is not a regular file");
    }

    @Test
    void unchangedFilesAreNotReadAgainAndChangedOnesAre() throws IOException {
        AddressListConfig list = file("192.0.2.1\n");
        AddressLists first = AddressLists.of(config(list), null);
        AddressLists same = AddressLists.of(config(list), first);
        assertThat(same.all().get("bad")).isSameAs(first.all().get("bad"));
        file("192.0.2.1\n192.0.2.2\n");
        AddressLists changed = AddressLists.of(config(list), same);
        assertThat(requireNonNull(changed.all().get("bad")).size()).isEqualTo(2);
    }
}
