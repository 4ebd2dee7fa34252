package io.seckill.drill.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.embedded.Ports;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaMachineTest {
  @TempDir private Path folder;

  @Test
  void shouldNotTryAgainWhatEndsForAnotherReason() {
    JavaMachine machine =
        new JavaMachine("machine", folder, "up", () -> List.of("-XX:NoSuchOption"));

    assertThatThrownBy(machine::start).hasMessageContaining("ended at its start");
    assertThat(machine.log()).hasFileName("machine-1.log");
  }

  @Test
  void shouldStartKafkaOnAnotherPortWhereTheFirstIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int other = Ports.free();
      Queue<Integer> ports = new ArrayDeque<>(List.of(taken.getLocalPort(), other));
      JavaMachine kafka =
          new JavaMachine(
              "kafka",
              folder.resolve("logs"),
              KafkaProcess.READY,
              () -> {
                String port = ports.remove().toString();
                return List.of(
                    "-cp",
                    String.join(java.io.File.pathSeparator, Classpath.all()),
                    KafkaProcess.class.getName(),
                    folder.resolve("kafka").toString(),
                    port,
                    port);
              });
      try {
        kafka.start();
        assertThat(kafka.log()).hasFileName("kafka-2.log");
        assertThat(Ports.isFree(other)).isFalse();
      } finally {
        kafka.stop();
      }
    }
  }
}
