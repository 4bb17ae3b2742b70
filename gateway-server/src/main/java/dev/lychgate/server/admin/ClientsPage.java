package dev.lychgate.server.admin;

import dev.lychgate.client.AddressSet;
import dev.lychgate.client.Ban;
import dev.lychgate.client.ClientProtection;
import dev.lychgate.client.ClientProtections;
import dev.lychgate.client.ClientRefusal;
import dev.lychgate.config.BanRuleConfig;
import dev.lychgate.config.ClientProtectionConfig;
import dev.lychgate.config.Durations;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.config.RateLimitConfig.Mode;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.history.Author;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code /clients}: the protection of listeners against single clients, with its counts. {@code /bans}: the banned
 * clients. An operator can ban a client, and can end a ban. A ban survives reloads and ends by itself, at the latest
 * with the process.
 */
final class ClientsPage {
    static final Parameter<String> ADDRESS = Parameter.needed("address", "the address of the client");
    static final Parameter<String> FOR = Parameter.needed("for", "the duration of the ban, such as 10m; at most 720h");
    static final Parameter<String> REASON =
            Parameter.needed("reason", "the reason, for the log and other operators; at most 200 characters");

    private record AddressList(String name, AddressSet addresses) {}

    private static final Shape<AddressList> LIST = new Shape<AddressList>("AddressList")
            .text("name", "The name of the list.", AddressList::name)
            .integer(
                    "blocks",
                    "The number of blocks of addresses, including duplicates.",
                    list -> list.addresses.size());

    private static final Shape<ClientProtection> LISTENER = new Shape<ClientProtection>("ClientProtection")
            .text("listener", "The name of the listener.", ClientProtection::listener)
            .field(
                    "allow",
                    Json.list(Json.TEXT),
                    "The address lists of the accepted clients; all other clients are refused.",
                    of -> config(of).allow())
            .field(
                    "deny",
                    Json.list(Json.TEXT),
                    "The address lists of the refused clients.",
                    of -> config(of).deny())
            .field(
                    "exempt",
                    Json.list(Json.TEXT),
                    "The address lists of the clients without limits.",
                    of -> config(of).exempt())
            .optional(
                    "connections",
                    Json.INTEGER,
                    "The maximum number of open connections of a client.",
                    of -> limit(config(of).connections()))
            .optionalText(
                    "connection_rate",
                    "The maximum rate of new connections of a client.",
                    of -> text(config(of).connectionRate()))
            .optional(
                    "requests",
                    Json.INTEGER,
                    "The maximum number of running requests of a client.",
                    of -> limit(config(of).requests()))
            .optional(
                    "streams",
                    Json.INTEGER,
                    "The maximum number of open HTTP/2 streams of a client.",
                    of -> limit(config(of).streams()))
            .optionalText(
                    "ban",
                    "The rule that bans clients by their errors.",
                    of -> rule(config(of).ban()))
            .field(
                    "mode",
                    Json.words(Mode.values()),
                    "Whether the limits are enforced.",
                    of -> config(of).mode())
            .integer(
                    "clients",
                    "The number of clients with open connections now; 0 if open connections are not limited.",
                    ClientProtection::connectedClients)
            .field(
                    "refused",
                    Json.map(Json.INTEGER),
                    "Refused connections, requests and streams since the start, by reason.",
                    ClientsPage::refused)
            .integer(
                    "crowded",
                    "The number of times a client shared its counts with other clients, since the start.",
                    ClientProtection::crowded);

    static final Shape<Generation> SHAPE = new Shape<Generation>(
                    "Clients", "The protection of listeners against single clients.")
            .list(
                    "listeners",
                    LISTENER,
                    "The protected listeners.",
                    of -> of.clients().configured())
            .list("address_lists", LIST, "The lists of addresses.", ClientsPage::lists)
            .integer(
                    "bans",
                    "The banned clients.",
                    of -> of.clients().bans().all().size())
            .integer(
                    "bans_dropped",
                    "Bans that were not set because too many clients were banned, since the start.",
                    of -> of.clients().bans().dropped());

    static final Shape<Ban> BAN = new Shape<Ban>("Ban", "A banned client.")
            .text(
                    "client",
                    "The address or network of the banned client.",
                    ban -> ban.client().toString())
            .field("until", Json.TIME, "When the ban ends.", Ban::until)
            .field("by", Json.words(Ban.Source.values()), "The source of the ban.", Ban::by)
            .text("author", "The filter, the listener with the rule, or the operator.", Ban::author)
            .text("reason", "Why.", Ban::reason);

    static final Shape<Generation> BANS = new Shape<Generation>("Bans", "The banned clients.")
            .list(
                    "bans",
                    BAN,
                    "The bans in force; the ban that ends last comes first.",
                    of -> of.clients().bans().all());

    private ClientsPage() {}

    private static ClientProtectionConfig config(ClientProtection of) {
        return of.config();
    }

    private static @Nullable Integer limit(int most) {
        return most == 0 ? null : most;
    }

    private static String rule(@Nullable BanRuleConfig rule) {
        return rule == null
                ? ""
                : "for " + Durations.print(rule.length()) + " if " + rule.errors() + " of at least " + rule.requests()
                        + " responses within " + Durations.print(rule.per()) + " have one of the statuses "
                        + String.join(", ", rule.statuses());
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static Map<String, Long> refused(ClientProtection of) {
        return Arrays.stream(ClientRefusal.values())
                .filter(why -> of.refused(why) > 0)
                .collect(Collectors.toMap(ClientRefusal::label, of::refused, Long::sum, LinkedHashMap::new));
    }

    private static List<AddressList> lists(Generation generation) {
        return generation.clients().lists().entrySet().stream()
                .map(list -> new AddressList(list.getKey(), list.getValue()))
                .toList();
    }

    /**
     * Bans a client.
     *
     * @return the ban in force
     * @throws Rejection with 409 if too many clients are banned
     */
    static Ban ban(Generation generation, Parameters given) throws Rejection {
        ClientProtections clients = generation.clients();
        InetAddress address = address(given.needed(ADDRESS));
        boolean set;
        try {
            set = clients.bans()
                    .add(
                            address,
                            clients.clients(),
                            Durations.parse(given.needed(FOR)),
                            given.needed(REASON),
                            Ban.Source.OPERATOR,
                            name(given.author()));
        } catch (IllegalArgumentException e) {
            throw Rejection.malformed("expected: " + e.getMessage());
        }
        Ban ban = set ? clients.bans().of(address) : null;
        if (ban == null) {
            throw Rejection.conflict("too many clients are banned; see clients.max-bans");
        }
        return ban;
    }

    /**
     * Ends the ban of a client.
     *
     * @return the ban that was ended
     * @throws Rejection with 404 if the client is not banned
     */
    static Ban end(Generation generation, Parameters given) throws Rejection {
        String listed = given.needed(ADDRESS);
        // A network in the form that /bans shows. Its prefix length may come from earlier settings.
        int slash = listed.indexOf('/');
        Ban ban = generation
                .clients()
                .bans()
                .end(address(slash < 0 ? listed : listed.substring(0, slash)), name(given.author()));
        if (ban == null) {
            throw Rejection.notFound("this client is not banned; see /bans");
        }
        return ban;
    }

    private static InetAddress address(String text) throws Rejection {
        InetAddress address = IpLiteral.address(text);
        if (address == null) {
            throw Rejection.malformed("expected: an IP address without a prefix length in the parameter address");
        }
        return address;
    }

    private static String name(Author client) {
        return client.operator().isEmpty() ? client.address() : client.operator();
    }
}
