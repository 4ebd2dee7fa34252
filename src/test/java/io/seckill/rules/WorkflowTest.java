package io.seckill.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.testing.Yaml;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** GitHub runs what {@code .ci/run} runs, on the Debian that it is written for. */
class WorkflowTest {
  @Test
  void shouldRunAllTests() {
    JsonNode workflow = Yaml.of(Path.of(".github", "workflows", "ci.yaml"));
    assertThat(workflow.path("on").has("pull_request")).isTrue();
    JsonNode job = workflow.at("/jobs/verify");
    assertThat(job.at("/container/image").asText()).isEqualTo("debian:12");
    List<String> runs = job.path("steps").findValuesAsText("run");
    assertThat(runs).containsExactly("bash .ci/run");
    assertThat(Path.of(".ci", "run")).isExecutable();
  }
}
