package io.seckill.drill.lab;

import io.seckill.drill.agent.Control;
import io.seckill.drill.agent.ShiftedClock;
import io.seckill.embedded.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One node of the application, in a JVM of its own, with the agent inside. */
public final class Application {
  public static final String ADMIN_TOKEN = "drill-admin-token";

  private final JavaMachine machine;
  private final Control control;
  private int httpPort;
  private int managementPort;
  private boolean addressTold;
  private final Map<String, String> properties;

  Application(Lab lab, String name, Map<String, String> overrides, List<Path> changedFiles) {
    Path controlFolder = lab.scratch().resolve("control").resolve(name);
    control = new Control(controlFolder);
    properties = new LinkedHashMap<>(lab.throughNetwork().properties());
    properties.put("seckill.backends", "external");
    properties.put("seckill.admin.token", ADMIN_TOKEN);
    properties.put("seckill.http.host", "127.0.0.1");
    properties.put(Control.PROPERTY, controlFolder.toString());
    properties.put("camel.beans.clock", "#class:" + ShiftedClock.class.getName());
    properties.putAll(overrides);
    machine =
        new JavaMachine(
            name,
            lab.scratch().resolve("logs"),
            " started in ",
            () -> {
              choosePorts();
              List<String> arguments =
                  new ArrayList<>(
                      List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
              properties.forEach((key, value) -> arguments.add("-D" + key + "=" + value));
              arguments.add("-cp");
              arguments.add(Classpath.application(lab.scratch(), changedFiles));
              arguments.add("io.seckill.SeckillApplication");
              return arguments;
            });
  }

  /** Chooses other ones for the next attempt to start, until somebody knows them. */
  private synchronized void choosePorts() {
    if (!addressTold) {
      httpPort = Ports.free();
      managementPort = Ports.free();
      properties.put("seckill.http.port", Integer.toString(httpPort));
      properties.put("seckill.management.port", Integer.toString(managementPort));
    }
  }

  /** The folder of the application's own classes, scripts, statements and routes. */
  public static Path ownClasses() {
    return Classpath.ownClasses();
  }

  public JavaMachine machine() {
    return machine;
  }

  /** Stops the node at a point, or shifts its clock. */
  public Control control() {
    return control;
  }

  /** The URL of its HTTP port, without a slash at the end. */
  public synchronized String baseUrl() {
    addressTold = true;
    return "http://127.0.0.1:" + httpPort;
  }

  /** The URL of its management port, without a slash at the end. */
  public synchronized String managementUrl() {
    addressTold = true;
    return "http://127.0.0.1:" + managementPort;
  }
}
