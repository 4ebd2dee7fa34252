package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.seckill.testing.Copies;
import io.seckill.testing.PropertyNames;
import io.seckill.testing.Yaml;
import io.strimzi.api.kafka.model.topic.KafkaTopicSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What Helm makes of the chart, read as the types of Kubernetes, of Prometheus's operator and of
 * Strimzi, which refuse a field that they do not know.
 */
class HelmChartTest {
  private static final Path CHART = Path.of("deploy", "helm", "seckill-gateway");
  private static final String RELEASE = "shop";
  private static final String NAME = "shop-seckill-gateway";

  private static final String EVERYTHING =
      """
      replicas: 2
      autoscaling: {enabled: true}
      ingress: {enabled: true, host: shop.example, tlsSecret: shop-tls, className: nginx}
      networkPolicy:
        administrators:
          - podSelector: {matchLabels: {role: operator}}
      monitoring: {enabled: true, labels: {release: prometheus}}
      kafkaTopics: {enabled: true, cluster: books}
      properties: {seckill.results: "on", seckill.strategy: B}
      """;

  /** A Kubernetes with each kind's type; Strimzi's topics are read apart. */
  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "Deployment", Deployment.class,
          "Service", Service.class,
          "PodDisruptionBudget", PodDisruptionBudget.class,
          "NetworkPolicy", NetworkPolicy.class,
          "Ingress", Ingress.class,
          "HorizontalPodAutoscaler", HorizontalPodAutoscaler.class,
          "ServiceMonitor", ServiceMonitor.class,
          "PrometheusRule", PrometheusRule.class,
          "Pod", Pod.class);

  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .annotationIntrospector(
              new JacksonAnnotationIntrospector() {
                @Override
                public Boolean hasAnySetter(Annotated member) {
                  return false; // these types would keep what they do not know
                }
              })
          .build();

  @TempDir private static Path directory;

  private static List<JsonNode> plain;
  private static List<JsonNode> full;

  /**
   * Of a copy in which the test pod is no hook: the library leaves hooks out of what it renders.
   */
  @BeforeAll
  static void render() throws IOException {
    Path chart = directory.resolve("chart");
    Copies.of(CHART, chart);
    Path test = chart.resolve("templates/tests/ready.yaml");
    String text = Files.readString(test);
    assertThat(text).contains("helm.sh/hook: test");
    Files.writeString(test, text.replace("helm.sh/hook", "hook"));
    plain = render("{}");
    full = render(EVERYTHING);
  }

  private static List<JsonNode> render(String values) {
    try {
      Path file = Files.writeString(directory.resolve("values.yaml"), values);
      return Yaml.documents(
          new Helm(directory.resolve("chart"))
              .template()
              .withName(RELEASE)
              .withNamespace("sale")
              .withKubeVersion("1.30.0")
              .withValuesFile(file)
              .call());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static <T extends HasMetadata> List<T> all(List<JsonNode> rendered, Class<T> type) {
    return rendered.stream()
        .filter(resource -> type == KINDS.get(kind(resource)))
        .map(resource -> read(resource, type))
        .toList();
  }

  private static <T extends HasMetadata> T one(List<JsonNode> rendered, Class<T> type) {
    assertThat(all(rendered, type)).hasSize(1);
    return all(rendered, type).get(0);
  }

  private static <T> T read(JsonNode resource, Class<T> type) {
    try {
      return STRICT.treeToValue(resource, type);
    } catch (IOException e) {
      throw new AssertionError(resource.toPrettyString(), e);
    }
  }

  private static String kind(JsonNode resource) {
    return resource.path("kind").asText();
  }

  @Test
  void shouldBeFreeOfWhatHelmWarnsOf() {
    LintResult result = new Helm(CHART).lint().strict().call();
    assertThat(result.isFailed()).as(String.join("\n", result.getMessages())).isFalse();
  }

  @Test
  void shouldMakeWhatIsSwitchedOnAndNothingElse() {
    assertThat(plain.stream().map(HelmChartTest::kind))
        .containsExactlyInAnyOrder(
            "Deployment",
            "Service",
            "Service",
            "Service",
            "PodDisruptionBudget",
            "NetworkPolicy",
            "Pod");
    assertThat(full.stream().map(HelmChartTest::kind).distinct().filter(KINDS::containsKey))
        .containsExactlyInAnyOrderElementsOf(KINDS.keySet());
    assertThat(full.stream().filter(HelmChartTest::isTopic)).hasSize(3);
  }

  private static boolean isTopic(JsonNode resource) {
    return kind(resource).equals("KafkaTopic");
  }

  @Test
  void shouldUseNoFieldThatKubernetesDoesNotKnow() throws Exception {
    for (List<JsonNode> rendered : List.of(plain, full)) {
      for (JsonNode resource : rendered) {
        ObjectNode wrong = resource.deepCopy();
        ((ObjectNode) wrong.path("spec")).put("misspelt", 1);
        if (isTopic(resource)) {
          read(resource.path("spec"), KafkaTopicSpec.class);
          assertThatThrownBy(() -> STRICT.treeToValue(wrong.path("spec"), KafkaTopicSpec.class))
              .hasMessageContaining("misspelt");
        } else {
          HasMetadata known = read(resource, KINDS.get(kind(resource)));
          assertThat(resource.path("apiVersion").asText())
              .isEqualTo(HasMetadata.getApiVersion(known.getClass()));
          assertThatThrownBy(() -> STRICT.treeToValue(wrong, known.getClass()))
              .hasMessageContaining("misspelt");
        }
      }
    }
  }

  private static PodSpec node(List<JsonNode> rendered) {
    return one(rendered, Deployment.class).getSpec().getTemplate().getSpec();
  }

  private static Container container(List<JsonNode> rendered) {
    assertThat(node(rendered).getContainers()).hasSize(1);
    return node(rendered).getContainers().get(0);
  }

  @Test
  void shouldRunWithoutRights() {
    for (PodSpec pod : List.of(node(plain), one(plain, Pod.class).getSpec())) {
      SecurityContext rights = pod.getContainers().get(0).getSecurityContext();
      assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
      assertThat(pod.getSecurityContext().getSeccompProfile().getType())
          .isEqualTo("RuntimeDefault");
      assertThat(pod.getAutomountServiceAccountToken()).isFalse();
      assertThat(rights.getReadOnlyRootFilesystem()).isTrue();
      assertThat(rights.getAllowPrivilegeEscalation()).isFalse();
      assertThat(rights.getCapabilities().getDrop()).containsExactly("ALL");
    }
    assertThat(container(plain).getVolumeMounts())
        .filteredOn(mount -> !Boolean.TRUE.equals(mount.getReadOnly()))
        .extracting("mountPath")
        .containsExactly("/tmp");
  }

  @Test
  void shouldRunTheImageAsTheUserThatItIsMadeFor() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    long user = node(plain).getSecurityContext().getRunAsUser();
    assertThat(pom).contains("<user>" + user + ":" + user + "</user>");
    assertThat(node(plain).getSecurityContext().getRunAsGroup()).isEqualTo(user);
    String version = pom.replaceAll("(?s).*?<version>([^<]+)</version>.*", "$1");
    assertThat(container(plain).getImage()).isEqualTo("seckill-gateway:" + version);
    assertThat(container(render("image: {tag: 'sha256:0a'}")).getImage())
        .isEqualTo("seckill-gateway@sha256:0a");
  }

  @Test
  void shouldSetOnlyPropertiesThatThereAre() {
    for (List<JsonNode> rendered : List.of(plain, full)) {
      assertThat(container(rendered).getEnv())
          .extracting(EnvVar::getName)
          .doesNotHaveDuplicates()
          .isSubsetOf(EnvironmentNames.all())
          .doesNotContainAnyElementsOf(EnvironmentNames.secrets());
    }
    assertThat(node(plain).getEnableServiceLinks()).isFalse();
  }

  @Test
  void shouldMountTheSecretsThatItNames() {
    List<String> mounted =
        node(plain).getVolumes().stream()
            .filter(volume -> volume.getSecret() != null)
            .flatMap(volume -> volume.getSecret().getItems().stream())
            .map(item -> "/run/secrets/seckill/" + item.getPath())
            .toList();
    assertThat(container(plain).getEnv())
        .filteredOn(variable -> variable.getName().endsWith("_FILE"))
        .extracting(EnvVar::getValue)
        .containsExactlyInAnyOrderElementsOf(mounted)
        .hasSize(4);
    assertThat(
            node(render("secrets: {keys: {seckill.redis.password: null}}")).getVolumes().stream()
                .filter(volume -> volume.getSecret() != null)
                .flatMap(volume -> volume.getSecret().getItems().stream()))
        .hasSize(3);
  }

  @Test
  void shouldAskTheManagementPortForItsHealth() {
    Container container = container(plain);
    assertThat(probe(container.getStartupProbe()))
        .isEqualTo("HTTP management /observe/health/live");
    assertThat(probe(container.getLivenessProbe()))
        .isEqualTo("HTTP management /observe/health/live");
    assertThat(probe(container.getReadinessProbe()))
        .isEqualTo("HTTP management /observe/health/ready");
    assertThat(container.getEnv())
        .contains(new EnvVar("SECKILL_MANAGEMENT_HOST", "0.0.0.0", null))
        .contains(new EnvVar("SECKILL_MANAGEMENT_PORT", "9876", null));
    assertThat(container.getPorts())
        .extracting(port -> port.getName() + " " + port.getContainerPort())
        .containsExactly("http 8080", "admin 8081", "management 9876");
    Container encrypted =
        container(render("properties: {seckill.management.tls.certificate: /run/tls.crt}"));
    assertThat(probe(encrypted.getReadinessProbe())).startsWith("HTTPS ");
  }

  private static String probe(Probe probe) {
    HTTPGetAction ask = probe.getHttpGet();
    return ask.getScheme() + " " + ask.getPort().getStrVal() + " " + ask.getPath();
  }

  @Test
  void shouldGiveANodeTheTimeToEndInGoodOrder() {
    assertThat(node(plain).getTerminationGracePeriodSeconds())
        .isGreaterThan(
            container(plain).getLifecycle().getPreStop().getSleep().getSeconds()
                + PropertyNames.number("camel.main.shutdownTimeout"));
    Probe startup = container(plain).getStartupProbe();
    assertThat(startup.getPeriodSeconds() * startup.getFailureThreshold() * 1_000)
        .isGreaterThan(PropertyNames.number("seckill.start-timeout"));
  }

  @Test
  void shouldSelectNodesAndNothingElse() {
    Deployment deployment = one(full, Deployment.class);
    Map<String, String> node = deployment.getSpec().getTemplate().getMetadata().getLabels();
    Map<String, String> test = one(full, Pod.class).getMetadata().getLabels();
    Stream.of(
            all(full, Service.class).stream().map(service -> service.getSpec().getSelector()),
            Stream.of(
                deployment.getSpec().getSelector().getMatchLabels(),
                one(full, PodDisruptionBudget.class).getSpec().getSelector().getMatchLabels(),
                one(full, NetworkPolicy.class).getSpec().getPodSelector().getMatchLabels()),
            node(full).getTopologySpreadConstraints().stream()
                .map(constraint -> constraint.getLabelSelector().getMatchLabels()))
        .flatMap(selectors -> selectors)
        .forEach(
            selector -> {
              assertThat(selector).isNotEmpty();
              assertThat(node).containsAllEntriesOf(selector);
              assertThat(test.entrySet().containsAll(selector.entrySet())).isFalse();
            });
    assertThat(node(full).getTopologySpreadConstraints())
        .extracting("topologyKey")
        .containsExactly("topology.kubernetes.io/zone", "kubernetes.io/hostname");
  }

  @Test
  void shouldLetOneNodeAtATimeBeTakenAway() {
    PodDisruptionBudget budget = one(plain, PodDisruptionBudget.class);
    assertThat(budget.getSpec().getMaxUnavailable().getIntVal()).isEqualTo(1);
    assertThat(one(plain, Deployment.class).getSpec().getReplicas()).isGreaterThan(1);
  }

  @Test
  void shouldScaleBetweenTheNumbersGiven() {
    HorizontalPodAutoscaler scaler = one(full, HorizontalPodAutoscaler.class);
    assertThat(scaler.getSpec().getMinReplicas()).isEqualTo(2);
    assertThat(scaler.getSpec().getMaxReplicas()).isEqualTo(8);
    assertThat(scaler.getSpec().getScaleTargetRef().getName()).isEqualTo(NAME);
    assertThat(one(full, Deployment.class).getMetadata().getName()).isEqualTo(NAME);
    assertThat(one(full, Deployment.class).getSpec().getReplicas()).isNull();
  }

  @Test
  void shouldKeepAdministrationAndManagementFromBuyers() {
    assertThat(peers(plain, "http")).isEmpty(); // everybody
    assertThat(peers(plain, "management")).hasSize(2);
    assertThat(one(plain, NetworkPolicy.class).getSpec().getIngress())
        .noneMatch(rule -> opens(rule, "admin"));
    assertThat(peers(full, "admin")).hasSize(1);
    Map<String, String> test = one(plain, Pod.class).getMetadata().getLabels();
    assertThat(one(plain, NetworkPolicy.class).getSpec().getIngress())
        .filteredOn(rule -> opens(rule, "management"))
        .flatExtracting(NetworkPolicyIngressRule::getFrom)
        .filteredOn(peer -> peer.getPodSelector() != null)
        .singleElement()
        .satisfies(
            peer -> assertThat(test).containsAllEntriesOf(peer.getPodSelector().getMatchLabels()));
    for (Ingress ingress : all(full, Ingress.class)) {
      var backend =
          ingress.getSpec().getRules().get(0).getHttp().getPaths().get(0).getBackend().getService();
      assertThat(service(full, backend.getName()).getSpec().getPorts())
          .extracting("name")
          .containsExactly("http")
          .containsExactly(backend.getPort().getName());
    }
  }

  private static List<?> peers(List<JsonNode> rendered, String port) {
    return one(rendered, NetworkPolicy.class).getSpec().getIngress().stream()
        .filter(rule -> opens(rule, port))
        .flatMap(rule -> rule.getFrom().stream())
        .toList();
  }

  private static boolean opens(NetworkPolicyIngressRule rule, String port) {
    return rule.getPorts().stream().anyMatch(open -> port.equals(open.getPort().getStrVal()));
  }

  private static Service service(List<JsonNode> rendered, String name) {
    return all(rendered, Service.class).stream()
        .filter(service -> service.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldLetPrometheusAskEachNodeUnderTheNameThatAlertsHave() {
    ServiceMonitor monitor = one(full, ServiceMonitor.class);
    List<Service> chosen =
        all(full, Service.class).stream()
            .filter(
                service ->
                    service
                        .getMetadata()
                        .getLabels()
                        .entrySet()
                        .containsAll(monitor.getSpec().getSelector().getMatchLabels().entrySet()))
            .toList();
    assertThat(chosen).hasSize(1);
    assertThat(chosen.get(0).getMetadata().getLabels())
        .containsEntry(monitor.getSpec().getJobLabel(), "seckill");
    assertThat(chosen.get(0).getSpec().getPorts())
        .extracting("name")
        .containsExactly(monitor.getSpec().getEndpoints().get(0).getPort());
    assertThat(monitor.getSpec().getEndpoints().get(0).getPath()).isEqualTo("/observe/metrics");
    assertThat(monitor.getMetadata().getLabels()).containsEntry("release", "prometheus");
  }

  @Test
  void shouldCarryTheAlertsOfTheProject() {
    Path alerts = Path.of("watch", "alerts.yml");
    assertThat(CHART.resolve("files").resolve("alerts.yml"))
        .as("copy %s there", alerts)
        .hasSameTextualContentAs(alerts);
    JsonNode rule =
        full.stream()
            .filter(resource -> kind(resource).equals("PrometheusRule"))
            .findFirst()
            .orElseThrow();
    assertThat(rule.path("spec")).isEqualTo(Yaml.of(alerts));
  }

  @Test
  void shouldDeclareTheTopicsThatTheApplicationWouldMake() {
    Map<String, KafkaTopicSpec> topics = new TreeMap<>();
    for (JsonNode topic : full.stream().filter(HelmChartTest::isTopic).toList()) {
      KafkaTopicSpec spec = read(topic.path("spec"), KafkaTopicSpec.class);
      topics.put(spec.getTopicName(), spec);
      assertThat(topic.at("/metadata/labels/strimzi.io~1cluster").asText()).isEqualTo("books");
      assertThat(spec.getReplicas()).isEqualTo(3);
      assertThat(spec.getConfig()).containsEntry("min.insync.replicas", 2);
    }
    assertThat(topics.keySet())
        .containsExactly("seckill.orders", "seckill.orders.dlq", "seckill.results");
    assertThat(topics.get("seckill.orders").getPartitions()).isEqualTo(12);
    assertThat(topics.get("seckill.orders.dlq").getPartitions()).isEqualTo(1);
    assertThat(topics.get("seckill.orders.dlq").getConfig())
        .containsEntry("max.message.bytes", 4 * 1024 * 1024);
    assertThat(container(full).getEnv())
        .contains(new EnvVar("SECKILL_ORDERS_PARTITIONS", "12", null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "replicas: 0 | /replicas",
        "autoscaling: {enabled: true, maxReplicas: 2} | is more than autoscaling.maxReplicas",
        "ingress: {enabled: true} | /ingress/host",
        "image: {tag: latest} | /image/tag",
        "kafkaTopics: {enabled: true} | /kafkaTopics/cluster",
        "kafkaTopics: {enabled: true, cluster: c, replicas: 1} | is more than kafkaTopics.replicas",
        "terminationGracePeriodSeconds: 10 | /terminationGracePeriodSeconds",
        "secrets: {existingSecret: ''} | /secrets/existingSecret",
        "secrets: {keys: {seckill.management.token: null}} | seckill.management.token",
        "secrets: {keys: {seckill.admin.token: null}} | seckill.admin.token",
        "properties: {seckill.mysql.password: p} | seckill.mysql.password",
        "properties: {seckill.management.host: 127.0.0.1} | seckill.management.host",
        "properties: {seckill.redis.uri: 'redis://:p@redis'} | seckill.redis.uri",
        "properties: {seckill.redis.uri: null} | seckill.redis.uri",
        "properties: {strategy: B} | strategy",
        "replica: 3 | replica"
      })
  void shouldRefuseWhatContradictsItself(String values, String named) {
    assertThatThrownBy(() -> render(values)).hasMessageContaining(named);
  }

  @Test
  void shouldNeedMySqlAloneInMinimalMode() {
    List<JsonNode> rendered =
        render(
            """
            properties: {seckill.mode: minimal, seckill.redis.uri: null, seckill.redis.user: null, seckill.kafka.brokers: null}
            secrets: {keys: {seckill.redis.password: null}}
            """);
    assertThat(container(rendered).getEnv())
        .extracting(EnvVar::getName)
        .contains("SECKILL_MYSQL_URL")
        .noneMatch(name -> name.contains("REDIS") || name.contains("KAFKA"));
  }
}
