import dev.lychgate.filters.testing.TestExchange
import dev.lychgate.filters.testing.TestedFilters
import java.nio.file.Path
import java.time.Duration
import spock.lang.AutoCleanup
import spock.lang.Shared
import spock.lang.Specification

class SamplesSpec extends Specification {
    @Shared
    @AutoCleanup
    TestedFilters filters = TestedFilters.in(Path.of('../config/filters'))

    def 'a client that says it is #agent gets #status'() {
        when:
        def result = TestExchange.get('/').header('user-agent', agent).origin(200).through(filters['BotBlock'])

        then:
        result.status == status
        (result.sent == null) == (status == 403)

        where:
        agent           | status
        'Mozilla/5.0'   | 200
        'sqlmap/1.8'    | 403
        'scrapyard/1.0' | 200
    }

    def 'an origin that is silent is given up when its time is over'() {
        given:
        def result = TestExchange.get('/').header('user-agent', 'Mozilla/5.0').origin { null }.through(filters['BotBlock'])

        when:
        result.clock.advance(Duration.ofMinutes(1))

        then:
        result.status == 504
        result.sent.path == '/'

        cleanup:
        result?.close()
    }
}
