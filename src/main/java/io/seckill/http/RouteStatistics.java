package io.seckill.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The statistics of all routes and their nodes, in the form of Camel's {@code
 * dumpRoutesStatsAsXml}. Camel asks each node once for each route there is, which takes some ten
 * seconds for a thousand nodes; here each is asked once.
 */
final class RouteStatistics {
  private static final String DUMP = "dumpRoutesStatsAsXml";
  private static final String[] DUMP_SIGNATURE = {"boolean", "boolean"};
  private static final String[] STATS_SIGNATURE = {"boolean"};
  private static final String ROUTE_ID = "RouteId";
  private static final String INDEX = "Index";
  private static final String[] ATTRIBUTES = {
    ROUTE_ID, "ProcessorId", INDEX, "State", "Disabled", "SourceLineNumber", "ExchangesInflight"
  };
  private static final Pattern ROUTE = Pattern.compile("<routeStat id=\"([^\"]*)\"");
  private static final String END_OF_ROUTE = "</routeStat>";
  private static final int STATS_TAG = "<stats ".length();

  private final MBeanServer server;

  RouteStatistics(MBeanServer server) {
    this.server = server;
  }

  private record Node(int index, String xml) {}

  /** Whether this is the operation, as Hawtio or JMX spell it. */
  static boolean isDump(ObjectName mbean, String operation) {
    return "context".equals(mbean.getKeyProperty("type"))
        && (operation.equals(DUMP) || operation.equals(DUMP + "(boolean,boolean)"));
  }

  /**
   * The statistics.
   *
   * @param context the MBean of the Camel context
   * @param full with the times and ids of the first and last exchanges
   */
  String xml(ObjectName context, boolean full) throws JMException {
    String routes =
        (String) server.invoke(context, DUMP, new Object[] {full, false}, DUMP_SIGNATURE);
    Map<String, List<Node>> nodes = nodes(context, full);
    StringBuilder xml = new StringBuilder();
    String route = "";
    for (String line : routes.split("\n")) {
      Matcher begin = ROUTE.matcher(line);
      if (begin.find()) {
        route = begin.group(1);
      } else if (line.strip().equals(END_OF_ROUTE)) {
        xml.append("      <processorStats>\n");
        nodes.getOrDefault(route, List.of()).stream()
            .sorted(Comparator.comparingInt(Node::index))
            .forEach(node -> xml.append(node.xml()));
        xml.append("      </processorStats>\n");
      }
      xml.append(line).append('\n');
    }
    return xml.toString();
  }

  private Map<String, List<Node>> nodes(ObjectName context, boolean full) throws JMException {
    Map<String, List<Node>> byRoute = new HashMap<>();
    ObjectName all =
        new ObjectName(
            context.getDomain()
                + ":context="
                + context.getKeyProperty("context")
                + ",type=processors,*");
    for (ObjectName name : server.queryNames(all, null)) {
      Map<String, Object> values = new HashMap<>();
      for (Attribute attribute : server.getAttributes(name, ATTRIBUTES).asList()) {
        values.put(attribute.getName(), attribute.getValue());
      }
      String stats =
          (String) server.invoke(name, "dumpStatsAsXml", new Object[] {full}, STATS_SIGNATURE);
      String xml =
          "        <processorStat id=\""
              + values.get("ProcessorId")
              + "\" index=\""
              + values.get(INDEX)
              + "\" state=\""
              + values.get("State")
              + "\" disabled=\""
              + values.get("Disabled")
              + "\" sourceLineNumber=\""
              + values.get("SourceLineNumber")
              + "\" exchangesInflight=\""
              + values.get("ExchangesInflight")
              + "\" "
              + stats.substring(STATS_TAG)
              + "\n";
      byRoute
          .computeIfAbsent(String.valueOf(values.get(ROUTE_ID)), route -> new ArrayList<>())
          .add(new Node(values.get(INDEX) instanceof Integer index ? index : 0, xml));
    }
    return byRoute;
  }
}
