package dev.lychgate.server.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetFrameTest {
    private static final String A = "a".repeat(64);
    private static final String B = "b".repeat(64);

    private static String shown(Pages pages) {
        return String.join("\n", FleetFrame.of("http://127.0.0.1:8081", pages).lines(110, Integer.MAX_VALUE, false));
    }

    private static Pages pages(String json) throws IOException {
        String text = json.replace('\'', '"').replace("A", A).replace("B", B);
        return new Pages(Map.of("/fleet/nodes", JsonValue.of(text)), Map.of());
    }

    @Test
    void showsTheHeadAndNodesWithProblemsFirst() throws IOException {
        assertThat(shown(pages("""
                {'space':'prod','epoch':7,'stable':'A','canary':'B','until':'2026-01-01T12:00:00Z','author':'alice',
                'reason':'try \\u001b[31m','nodes':[
                {'node':'a','condition':'serves','epoch':7,'active':'A','faults':[],'age':3,'rate':120.25,'error_rate':1.5,'p99_ms':30.06},
                {'node':'b','condition':'serves','epoch':7,'active':'B','faults':[],'age':4,'rate':0,'error_rate':0},
                {'node':'c','condition':'refuses','epoch':7,'active':'A','faults':['gateway.yml:1: routes: 7'],'age':5,'rate':0},
                {'node':'d','condition':'lost','epoch':6,'active':'A','faults':[],'age':40,'rate':0},
                {'node':'e','condition':'no-store','epoch':6,'active':'A','faults':[],'store':'the store does not respond','age':9,'rate':0},
                {'node':'f','condition':'behind','epoch':6,'active':'%s','faults':[],'age':9,'rate':0}]}
                """.formatted("c".repeat(64))))).isEqualTo("""
                lychgate fleet prod at http://127.0.0.1:8081  epoch 7 by alice: try \\u001b[31m
                in force aaaaaaaaaaaa, canary bbbbbbbbbbbb until 2026-01-01T12:00:00Z

                NODES, 6                condition  release           epoch   rate/s   errors   p99 ms    age s
                c                       REFUSES    aaaaaaaaaaaa          7      0.0        -        -        5
                  gateway.yml:1: routes: 7
                d                       LOST       aaaaaaaaaaaa          6      0.0        -        -       40
                e                       NO STORE   aaaaaaaaaaaa          6      0.0        -        -        9
                  the store does not respond
                f                       BEHIND     cccccccccccc          6      0.0        -        -        9
                a                       serves     aaaaaaaaaaaa          7    120.3     1.2%     30.1        3
                b                       serves     bbbbbbbbbbbb          7      0.0        -        -        4""");
    }

    @Test
    void showsAFleetWithoutNodes() throws IOException {
        assertThat(shown(pages("{'space':'prod','epoch':1,'author':'alice','reason':'created','nodes':[]}")))
                .contains("epoch 1 by alice: created\nin force none\n", "NODES: none");
    }

    @Test
    void statesWhyThereIsNoFleet() {
        Pages none = new Pages(
                Map.of(),
                Map.of("/fleet/nodes", "this gateway belongs to no fleet; see the section fleet of the configuration"));
        assertThat(shown(none)).isEqualTo("""
                lychgate fleet at http://127.0.0.1:8081
                not shown: this gateway belongs to no fleet; see the section fleet of the configuration""");
    }
}
