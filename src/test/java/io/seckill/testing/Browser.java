package io.seckill.testing;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Response;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * A headless Chromium of the machine, driven through Playwright, which notes what its pages
 * complain of. For one thread.
 */
public final class Browser implements AutoCloseable {
  /** System property: where Chromium is, if not where Debian's package puts it. */
  public static final String PATH_PROPERTY = "seckill.test.chromium";

  private static final String DEBIAN_PATH = "/usr/bin/chromium";

  /** Chromium's word for a request that the page itself gave up, as when it is left. */
  private static final String GIVEN_UP = "net::ERR_ABORTED";

  private final Playwright playwright;
  private final com.microsoft.playwright.Browser chromium;
  private final List<String> consoleErrors = new ArrayList<>();
  private final List<String> failedRequests = new ArrayList<>();

  private Browser(Playwright playwright, Path executable) {
    this.playwright = playwright;
    this.chromium =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(executable)
                    // Chromium's own sandbox cannot be had by root or in most containers
                    .setArgs(List.of("--no-sandbox")));
  }

  /** Starts Chromium; skips the test, and says so, on a machine without it. */
  public static Browser launch() {
    Path executable = Path.of(System.getProperty(PATH_PROPERTY, DEBIAN_PATH));
    Assumptions.assumeTrue(
        Files.isExecutable(executable),
        () ->
            "There is no Chromium at "
                + executable
                + ": install it (apt-get install chromium) or name it with -D"
                + PATH_PROPERTY);
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    try {
      return new Browser(playwright, executable);
    } catch (RuntimeException e) {
      playwright.close();
      throw e;
    }
  }

  /** A page of a desktop screen, in English, with cookies and storage of its own. */
  public Page page() {
    return page(
        new com.microsoft.playwright.Browser.NewContextOptions()
            .setViewportSize(1280, 800)
            .setLocale("en-US"));
  }

  /**
   * A page with cookies and storage of its own.
   *
   * @param options such as the size of the screen, the language, the time zone
   */
  public Page page(com.microsoft.playwright.Browser.NewContextOptions options) {
    BrowserContext context = chromium.newContext(options);
    context.onConsoleMessage(
        message -> {
          if ("error".equals(message.type())) {
            consoleErrors.add(message.text() + " (" + message.location() + ")");
          }
        });
    context.onWebError(error -> consoleErrors.add(error.error()));
    context.onRequestFailed(
        request -> {
          if (!GIVEN_UP.equals(request.failure())) {
            failedRequests.add(text(request) + ": " + request.failure());
          }
        });
    context.onResponse(this::note);
    return context.newPage();
  }

  private void note(Response response) {
    if (response.status() >= 400) {
      failedRequests.add(text(response.request()) + ": " + response.status());
    }
  }

  private static String text(Request request) {
    return request.method() + " " + request.url();
  }

  /** What scripts wrote to the console as errors, and exceptions that nobody caught, so far. */
  public List<String> consoleErrors() {
    return List.copyOf(consoleErrors);
  }

  /** Requests that got no answer, or one from 400 on, so far: method, address, reason. */
  public List<String> failedRequests() {
    return List.copyOf(failedRequests);
  }

  /** Forgets what was noted so far. */
  public void forget() {
    consoleErrors.clear();
    failedRequests.clear();
  }

  @Override
  public void close() {
    playwright.close();
  }
}
