package dev.lychgate.server.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShapeTest {
    private record Box(String name, double size, @Nullable String label, List<Box> parts) {}

    private static final Shape<Box> PART = new Shape<Box>("Part").text("name", "Its name.", Box::name);

    private static final Shape<Box> BOX = new Shape<Box>("Box", "A box.")
            .number("size", "Its size.", Box::size)
            .optionalText("label", "Its label.", Box::label)
            .includeOptional(PART, box -> box.name().equals("none") ? null : box)
            .list("parts", PART, "Its parts.", Box::parts);

    private static final Box SMALL = new Box("none", 1.23456, "", List.of());

    @Test
    void writesThePresentMembers() {
        Box box = new Box("big", 2, "fragile", List.of(SMALL));
        assertThat(JsonText.of(json -> BOX.write(json, box)))
                .isEqualTo("{\"size\":2.0,\"label\":\"fragile\",\"name\":\"big\",\"parts\":[{\"name\":\"none\"}]}");
        assertThat(JsonText.of(json -> BOX.write(json, SMALL))).isEqualTo("{\"size\":1.235,\"parts\":[]}");
    }

    @Test
    void describesItsMembersAndNestedShapes() {
        Map<String, Object> schemas = new HashMap<>();
        BOX.collect(schemas);

        assertThat(schemas).containsOnlyKeys("Box", "Part");
        assertThat(JsonText.of(json -> Json.TREE.write(json, Objects.requireNonNull(schemas.get("Box")))))
                .isEqualTo("{\"type\":\"object\",\"description\":\"A box.\",\"properties\":{"
                        + "\"size\":{\"type\":\"number\",\"description\":\"Its size.\"},"
                        + "\"label\":{\"type\":\"string\",\"description\":\"Its label.\"},"
                        + "\"name\":{\"type\":\"string\",\"description\":\"Its name.\"},"
                        + "\"parts\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Part\"},"
                        + "\"description\":\"Its parts.\"}},"
                        + "\"required\":[\"size\",\"parts\"],\"additionalProperties\":false}");
    }

    @Test
    void rejectsTwoShapesOfOneName() {
        Map<String, Object> schemas = new HashMap<>();
        PART.collect(schemas);
        Shape<Box> other = new Shape<Box>("Part").text("label", "Its label.", Box::name);
        assertThatThrownBy(() -> other.collect(schemas)).hasMessage("two shapes are named Part");
    }
}
