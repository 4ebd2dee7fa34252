package io.seckill.drill.plant;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs one test in a JVM of its own. */
public final class TestRun {
  /** Exit code: the test failed. */
  static final int FAILED = 3;

  private TestRun() {}

  /**
   * Exit code 0: the test passed; {@value #FAILED}: it failed; 4: there is none.
   *
   * @param arguments {@code class#method}
   */
  public static void main(String[] arguments) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectMethod(arguments[0])).build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    summary
        .getFailures()
        .forEach(failure -> System.out.println("FAILED: " + failure.getException()));
    boolean passed = summary.getTestsSucceededCount() > 0;
    int otherwise = summary.getTestsFailedCount() > 0 ? FAILED : 4;
    System.exit(passed && summary.getTestsFailedCount() == 0 ? 0 : otherwise);
  }
}
