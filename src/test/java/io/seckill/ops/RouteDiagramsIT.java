package io.seckill.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.testing.TestApplication;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/**
 * Hawtio draws a route from its dump, and draws none at all where one of them has anything before
 * its {@code from}.
 */
class RouteDiagramsIT {
  private static final MBeanServer MBEANS = ManagementFactory.getPlatformMBeanServer();

  @Test
  void shouldBeginEachRouteOfFullModeWithItsFrom() throws Exception {
    verify(TestApplication.shared().camelContext());
  }

  @Test
  void shouldBeginEachRouteOfMinimalModeWithItsFrom() throws Exception {
    try (TestApplication minimal =
        TestApplication.apart("minimaldiagrams", 0, Map.of("seckill.mode", "minimal"))) {
      verify(minimal.camelContext());
    }
  }

  private static void verify(CamelContext context) throws Exception {
    Map<String, String> first = new HashMap<>();
    for (ObjectName route : MBEANS.queryNames(routesOf(context), null)) {
      Element dump = parse((String) MBEANS.invoke(route, "dumpRouteAsXml", null, null));
      first.put(dump.getAttribute("id"), children(dump).get(0));
    }

    assertThat(first.keySet())
        .isEqualTo(context.getRoutes().stream().map(Route::getId).collect(Collectors.toSet()));
    assertThat(first)
        .isNotEmpty()
        .allSatisfy((id, element) -> assertThat(element).as(id).isEqualTo("from"));
  }

  private static ObjectName routesOf(CamelContext context) throws Exception {
    return new ObjectName(
        "org.apache.camel:context=" + context.getManagementName() + ",type=routes,*");
  }

  private static Element parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)))
        .getDocumentElement();
  }

  private static List<String> children(Element element) {
    List<String> names = new ArrayList<>();
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element) {
        names.add(child.getNodeName());
      }
    }
    return names;
  }
}
