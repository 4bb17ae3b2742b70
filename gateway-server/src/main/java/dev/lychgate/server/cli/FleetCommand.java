package dev.lychgate.server.cli;

import dev.lychgate.config.Durations;
import dev.lychgate.config.FleetConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.fleet.Canary;
import dev.lychgate.server.fleet.FleetDoctor;
import dev.lychgate.server.fleet.FleetHead;
import dev.lychgate.server.fleet.FleetOperator;
import dev.lychgate.server.fleet.FleetOperator.CanaryRequest;
import dev.lychgate.server.fleet.FleetOperator.Signer;
import dev.lychgate.server.fleet.Release;
import dev.lychgate.server.fleet.SigningKey;
import dev.lychgate.server.fleet.TwoStepActivation;
import dev.lychgate.server.terminal.Printable;
import dev.lychgate.server.yaml.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fleet}: changes the release that all nodes of a fleet serve. */
@Command(
        name = "fleet",
        description = {
            "Changes the release that all nodes of a fleet serve. Needs no running gateway, only the store.",
            "init creates a space, and also creates keys if the file of --key does not exist. push signs and stores a",
            "directory. activate and rollback change the release in force. canary makes some nodes serve a release;",
            "promote puts that release into force on all nodes, and abort ends the canary. nodes, status, history and",
            "diff only read.",
            "doctor examines the keys, the directory state, the store and the clock."
        },
        footer = {
            "  lychgate fleet init --config node.yml --key release.key",
            "  lychgate fleet push config --config node.yml --key release.key --message 'Add route'",
            "  lychgate fleet activate 3b1f... --config node.yml --key release.key --wait 30s",
            "  lychgate fleet canary 3b1f... --share 10% --for 30m --config node.yml --key release.key --wait 30s",
            "  lychgate fleet promote --config node.yml --key release.key --wait 30s",
            "  lychgate fleet rollback --config node.yml --key release.key",
            "  lychgate fleet nodes --config node.yml --json",
            "",
            "Exit codes: 0 success, 1 refused, 2 the store does not respond, 3 another operator changed the head first."
        })
final class FleetCommand extends SubCommand {
    private static final int DEFAULT_LIMIT = 20;

    /** The actions of the command. */
    enum Action {
        init,
        push,
        activate,
        canary,
        promote,
        abort,
        rollback,
        nodes,
        history,
        diff,
        status,
        doctor
    }

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(
            index = "0",
            paramLabel = "ACTION",
            description =
                    "init, push, activate, canary, promote, abort, rollback, nodes, history, diff, status or doctor.")
    private Action action = Action.status;

    @Parameters(
            index = "1..*",
            paramLabel = "ARGUMENT",
            description =
                    "push: a directory. activate, canary: a release. diff: one or two releases. A release is a digest, the"
                            + " first 8 or more digits of a digest in the head, or an epoch.")
    private List<String> arguments = List.of();

    @Option(names = "--key", paramLabel = "FILE", description = "The private key that signs the change.")
    private @Nullable Path key;

    @Option(names = "--message", paramLabel = "TEXT", description = "The reason for the change.")
    private String message = "";

    @Option(names = "--author", paramLabel = "NAME", description = "The author; default the name of the user.")
    private String author = System.getProperty("user.name", "unknown");

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description =
                    "The maximum duration of each step. activate, promote, rollback: all nodes prepare the release"
                            + " first. canary: the selected nodes must serve the release.")
    private @Nullable String wait;

    @Option(
            names = "--share",
            paramLabel = "PERCENT",
            description = "canary: the share of the nodes that report and have the labels, rounded up; default 100%%.")
    private @Nullable String share;

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description = "canary: a label that the nodes must have; can be repeated.")
    private Map<String, String> labels = Map.of();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "canary: the nodes return to the release in force after this time, even without the store.")
    private @Nullable String time;

    @Option(
            names = "--to",
            paramLabel = "RELEASE",
            description = "rollback: the new release in force; default the previous one.")
    private @Nullable String to;

    @Option(names = "--limit", paramLabel = "N", description = "history: the maximum number of heads; default 20.")
    private int limit = DEFAULT_LIMIT;

    @Override
    public Integer call() throws Exception {
        checkArguments();
        Path file = config.or(outer()).file(surroundings());
        FleetConfig fleet = ConfigReader.fleet(file, surroundings().environment());
        if (fleet == null) {
            throw new StartException(file + " has no section fleet", ExitCode.CONFIGURATION);
        }
        try {
            if (action == Action.doctor) {
                return doctor(fleet);
            }
            if (action == Action.init) {
                createKeys();
            }
            try (FleetOperator operator = FleetOperator.open(fleet)) {
                return run(operator, new FleetReport(surroundings().out(), json.isGiven()));
            }
        } catch (FleetException e) {
            surroundings().err().println(Printable.escaped("lychgate: fleet " + action + ": " + e.reason()));
            return switch (e.kind()) {
                case UNAVAILABLE -> ExitCode.NO_RESULT;
                case CONFLICT -> ExitCode.CONFLICT;
                case REFUSED, MISSING -> ExitCode.FAILED;
            };
        }
    }

    private void checkArguments() throws UsageException {
        int least = switch (action) {
            case push, activate, canary, diff -> 1;
            default -> 0;
        };
        int most = action == Action.diff ? 2 : least;
        if (arguments.size() < least || arguments.size() > most) {
            throw new UsageException("fleet " + action + ": " + arguments.size() + " arguments (expected: "
                    + (least == most ? Integer.toString(least) : least + " or " + most) + ")");
        }
        boolean changes = switch (action) {
            case activate, canary, promote, rollback -> true;
            default -> false;
        };
        if (wait != null && !changes) {
            throw new UsageException("--wait is an option of fleet activate, canary, promote and rollback");
        }
        if ((share != null || time != null || !labels.isEmpty()) && action != Action.canary) {
            throw new UsageException("--share, --label and --for are options of fleet canary");
        }
        if (action == Action.canary && share == null && labels.isEmpty()) {
            throw new UsageException("fleet canary: --share and --label are missing (expected: at least one of them)");
        }
        if (to != null && action != Action.rollback) {
            throw new UsageException("--to is an option of fleet rollback");
        }
        if (limit < 1) {
            throw new UsageException("--limit: " + limit + " (expected: 1 or more)");
        }
    }

    private int run(FleetOperator operator, FleetReport report) throws Exception {
        switch (action) {
            case init -> report.head(operator.init(signer("created")));
            case push -> report.release(push(operator));
            case activate -> {
                return activate(operator, operator.resolve(arguments.get(0)), "activate", report);
            }
            case canary -> {
                return canary(operator, report);
            }
            case promote -> {
                return activate(operator, operator.promoted(operator.head()), "promote", report);
            }
            case abort -> report.head(operator.abort(operator.head(), signer("abort the canary")));
            case rollback -> {
                String target = to == null ? operator.before(operator.head()) : operator.resolve(to);
                return activate(operator, target, "roll back", report);
            }
            case nodes -> report.nodes(operator.nodes());
            case history -> report.history(operator.history(limit));
            case diff -> diff(operator, report);
            case status -> report.status(operator.head(), operator.nodes());
            case doctor -> throw new IllegalStateException("doctor uses no operator");
        }
        return ExitCode.OK;
    }

    private int doctor(FleetConfig fleet) throws InterruptedException {
        List<FleetDoctor.Finding> findings = new FleetDoctor(fleet, Clock.systemUTC()).run();
        new FleetReport(surroundings().out(), json.isGiven()).findings(findings);
        return findings.stream().anyMatch(each -> each.outcome() == FleetDoctor.Outcome.FAILED)
                ? ExitCode.FAILED
                : ExitCode.OK;
    }

    private Release push(FleetOperator operator) throws Exception {
        Path directory = Path.of(arguments.get(0));
        try {
            return operator.push(directory, signer(""));
        } catch (IOException e) {
            throw new StartException("fleet push: can't read " + directory + ": " + e);
        }
    }

    private int activate(FleetOperator operator, String digest, String verb, FleetReport report) throws Exception {
        Duration time = duration("--wait", wait);
        Signer signer = signer(verb + " " + Release.shortened(digest));
        FleetHead head = operator.head();
        if (time == null) {
            report.head(operator.activate(head, digest, signer));
            return ExitCode.OK;
        }
        TwoStepActivation.Result result = new TwoStepActivation(operator, time).run(head, digest, signer);
        report.activation(result);
        return result.problems().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private int canary(FleetOperator operator, FleetReport report) throws Exception {
        Duration limit = duration("--wait", wait);
        CanaryRequest request = new CanaryRequest(share(), labels, duration("--for", time));
        String digest = operator.resolve(arguments.get(0));
        Signer signer = signer("canary " + Release.shortened(digest));
        FleetHead head = operator.head();
        TwoStepActivation.Result result = limit == null
                ? new TwoStepActivation.Result(operator.canary(head, digest, request, signer), true, List.of())
                : new TwoStepActivation(operator, limit).canary(head, digest, request, signer);
        Canary started = result.head().canary();
        report.canary(result, started == null ? List.of() : operator.selected(started));
        return result.problems().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private double share() throws UsageException {
        if (share == null) {
            return 1;
        }
        try {
            double fraction = Percent.parse(share).fraction();
            if (fraction > 0 && fraction <= 1) {
                return fraction;
            }
        } catch (IllegalArgumentException e) {
            // Reported like a share of 0.
        }
        throw new UsageException("--share " + share + " (expected: 1% to 100%)");
    }

    private static @Nullable Duration duration(String option, @Nullable String given) throws UsageException {
        if (given == null) {
            return null;
        }
        try {
            Duration duration = Durations.parse(given);
            if (duration.compareTo(Duration.ZERO) > 0) {
                return duration;
            }
        } catch (IllegalArgumentException e) {
            // Reported like a negative time.
        }
        throw new UsageException(option + " " + given + " (expected: a duration such as 30s)");
    }

    private void diff(FleetOperator operator, FleetReport report) throws Exception {
        String first = arguments.get(0);
        boolean two = arguments.size() == 2;
        FleetHead head = operator.head();
        String from = two ? operator.resolve(first) : head.stable();
        if (from == null) {
            throw new UsageException("fleet diff: no release is in force (expected: two releases)");
        }
        String other = operator.resolve(two ? arguments.get(1) : first);
        report.difference(operator.release(from), operator.release(other));
    }

    private void createKeys() throws StartException, UsageException {
        Path file = keyFile();
        if (Files.exists(file)) {
            return;
        }
        Path shared = file.resolveSibling(file.getFileName() + ".pub");
        try {
            SigningKey.create(file, shared);
        } catch (IOException e) {
            throw new StartException("fleet init: can't write the keys: " + e);
        }
        surroundings().err().println("private key written to " + file + ", public key to " + shared);
    }

    private Path keyFile() throws UsageException {
        if (key == null) {
            throw new UsageException("fleet " + action + ": --key is missing");
        }
        return key;
    }

    private Signer signer(String reason) throws FleetException, UsageException {
        return new Signer(SigningKey.read(keyFile()), author, message.isEmpty() ? reason : message);
    }
}
