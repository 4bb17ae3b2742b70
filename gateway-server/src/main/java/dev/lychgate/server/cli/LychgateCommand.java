package dev.lychgate.server.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/** The complete command line. If the user gives no command, it prints the help. */
@Command(
        name = "lychgate",
        description = "An asynchronous HTTP reverse-proxy gateway.",
        footer = {
            "  lychgate demo",
            "  lychgate check --config config/gateway.yml",
            "  lychgate run --config config/gateway.yml",
            "  lychgate help reload",
            "",
            "Exit codes: 0 success, 1 failure, 64 malformed command line, 70 failure of the running gateway,",
            "78 unusable configuration; 143 or 130 if a signal arrived before the gateway was ready."
        },
        // In the order in which a user typically needs the commands.
        subcommands = {
            DemoCommand.class,
            InitCommand.class,
            RunCommand.class,
            CheckCommand.class,
            DoctorCommand.class,
            RoutesCommand.class,
            FiltersCommand.class,
            NewCommand.class,
            TestCommand.class,
            MigrateCommand.class,
            TopCommand.class,
            TraceCommand.class,
            ExplainCommand.class,
            DiffCommand.class,
            RecordCommand.class,
            ReplayCommand.class,
            MirrorCommand.class,
            LimitsCommand.class,
            BansCommand.class,
            PurgeCommand.class,
            OverloadCommand.class,
            ChangeCommand.Reload.class,
            ChangeCommand.Rollback.class,
            UpgradeCommand.class,
            HistoryCommand.class,
            RolloutCommand.class,
            FleetCommand.class,
            FaultsCommand.class,
            ChangeCommand.OfEndpoint.class,
            ChangeCommand.OfBreaker.class,
            ChangeCommand.OfFilter.class,
            ChangeCommand.LogLevel.class,
            ExtensionsCommand.class,
            SecretCommand.class,
            ApiKeyCommand.class,
            CacheCommand.class,
            OriginCommand.class,
            BenchCommand.class,
            SchemaCommand.class,
            CompletionCommand.class,
            VersionCommand.class,
            HelpCommand.class
        })
public final class LychgateCommand implements SubCommand.Parent {
    private final Surroundings surroundings;

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            order = 1000,
            description = "Prints this help.")
    @SuppressWarnings("unused") // picocli reads it
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            scope = ScopeType.INHERIT,
            order = 1001,
            description = "Prints the version.")
    @SuppressWarnings("unused") // picocli reads it
    private boolean version;

    private LychgateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Surroundings surroundings() {
        return surroundings;
    }

    @Override
    public ConfigOption config() {
        return config;
    }

    /**
     * Runs one command until it ends; {@code run}, {@code demo} and {@code origin} run until they are stopped.
     *
     * @return the exit code, see {@link ExitCode}
     */
    public static int execute(Surroundings surroundings, String... args) {
        ConfigOption plain = RunCommand.plain(args);
        if (plain == null) {
            return whole(parsed(surroundings, args), surroundings);
        }
        try {
            return RunCommand.serve(surroundings, plain);
        } catch (Exception e) {
            return Failure.tell(e, surroundings.err());
        }
    }

    /**
     * Returns {@code code}. If the command succeeded but standard output can't be written, returns the exit code for a
     * failure.
     */
    private static int whole(int code, Surroundings surroundings) {
        if (code != ExitCode.OK || !surroundings.out().checkError()) {
            return code;
        }
        surroundings.err().println("lychgate: standard output can't be written, so output is missing");
        return ExitCode.FAILED;
    }

    private static int parsed(Surroundings surroundings, String... args) {
        LychgateCommand whole = new LychgateCommand(surroundings);
        Failure errors = new Failure();
        return whole.commandLine()
                .setOut(surroundings.out())
                .setErr(surroundings.err())
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setExecutionStrategy(whole::lastCommand)
                .execute(args);
    }

    static CommandLine all(Surroundings surroundings) {
        return new LychgateCommand(surroundings).commandLine();
    }

    private CommandLine commandLine() {
        CommandLine line = new CommandLine(this);
        present(line);
        line.getSubcommands().values().forEach(LychgateCommand::present);
        return line;
    }

    /**
     * Sets up the help. It lists the options in the order of their declaration, which begins with the most common
     * options, and then shows examples.
     */
    private static void present(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        spec.versionProvider(new VersionCommand());
        spec.usageMessage().sortOptions(false).footerHeading("%nExamples:%n");
    }

    /** Runs the named command, or prints the help. An option that the command does not use is rejected. */
    private int lastCommand(ParseResult parsed) {
        CommandLine line = parsed.commandSpec().commandLine();
        if (parsed.isUsageHelpRequested() || parsed.isVersionHelpRequested()) {
            return new CommandLine.RunLast().execute(parsed);
        }
        if (!parsed.hasSubcommand()) {
            if (config.isGiven()) {
                throw new CommandLine.ParameterException(line, "a command is missing, such as run");
            }
            line.usage(line.getOut());
            return ExitCode.OK;
        }
        CommandSpec command = parsed.subcommand().commandSpec();
        if (config.isGiven() && !command.optionsMap().containsKey("--config")) {
            throw new CommandLine.ParameterException(line, "--config is not an option of " + command.name());
        }
        return new CommandLine.RunLast().execute(parsed);
    }
}
