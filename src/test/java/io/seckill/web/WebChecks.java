package io.seckill.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Page;
import io.seckill.testing.Browser;
import java.util.List;
import java.util.Set;

/** What holds for every page. */
final class WebChecks {
  private static final Set<String> GRAVE = Set.of("serious", "critical");

  private WebChecks() {}

  /**
   * What scripts and the content policy complained of. That a call was refused is no complaint: the
   * pages say it in words.
   */
  static List<String> complaints(Browser browser) {
    return browser.consoleErrors().stream()
        .filter(error -> !error.startsWith("Failed to load resource"))
        .toList();
  }

  /** No serious or critical finding of axe-core, contrast included. */
  static void assertAccessible(Page page) {
    assertThat(new AxeBuilder(page).analyze().getViolations())
        .filteredOn(rule -> GRAVE.contains(rule.getImpact()))
        .extracting(
            rule ->
                rule.getId()
                    + ": "
                    + rule.getNodes().stream().map(node -> node.getHtml()).limit(3).toList())
        .as("findings at %s", page.url())
        .isEmpty();
  }

  /** Nothing is wider than the screen. */
  static void assertFits(Page page) {
    assertThat(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
        .as("width of %s beyond the screen", page.url())
        .isEqualTo(0);
  }
}
