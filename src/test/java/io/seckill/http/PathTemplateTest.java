package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PathTemplateTest {
  @Test
  void shouldMatchSegmentBySegment() {
    PathTemplate template = new PathTemplate("/admin/sales/{productId}/ledger");
    assertThat(template.match("/admin/sales/7/ledger")).isEqualTo(Map.of("productId", "7"));
    for (String path :
        List.of(
            "",
            "/",
            "/admin/sales//ledger",
            "/admin/sales/7",
            "/admin/sales/7/ledger/",
            "/admin/sales/7/ledgers",
            "/admin/sales/7/led",
            "/admin/sales/7/8/ledger",
            "admin/sales/7/ledger")) {
      assertThat(template.match(path)).as(path).isNull();
    }
  }

  @Test
  void shouldGiveSeveralParameters() {
    assertThat(new PathTemplate("/{a}/x/{b}").match("/1/x/%32"))
        .isEqualTo(Map.of("a", "1", "b", "%32"));
    assertThat(new PathTemplate("/x").match("/x")).isEmpty();
    assertThat(new PathTemplate("/").match("/")).isEmpty();
  }

  @Test
  void shouldPutLiteralSegmentsFirst() {
    assertThat(
            Stream.of("/a/{x}", "/{y}/b", "/a/b", "/a/{x}/c")
                .map(PathTemplate::new)
                .sorted()
                .map(PathTemplate::toString))
        .containsExactly("/a/b", "/a/{x}", "/a/{x}/c", "/{y}/b");
  }

  @Test
  void shouldRefuseWildcards() {
    assertThatIllegalArgumentException().isThrownBy(() -> new PathTemplate("/a/*"));
    assertThatIllegalArgumentException().isThrownBy(() -> new PathTemplate("a"));
  }
}
