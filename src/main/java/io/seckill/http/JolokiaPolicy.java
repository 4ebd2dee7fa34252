package io.seckill.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import javax.management.ObjectName;
import org.jolokia.server.core.restrictor.RestrictorFactory;
import org.jolokia.server.core.service.api.Restrictor;
import org.jolokia.server.core.util.HttpMethod;
import org.jolokia.server.core.util.RequestType;

/**
 * What Jolokia's callers may do: what {@code jolokia-access.xml} lets them, and the operations of
 * further policies of the same form. What the first one hides or denies stays so.
 */
final class JolokiaPolicy implements Restrictor {
  private static final String BASE = "jolokia-access.xml";

  private final Restrictor base;
  private final List<Restrictor> further = new ArrayList<>();

  /**
   * @param files on the class path
   * @throws IllegalStateException when one is not there
   */
  JolokiaPolicy(List<String> files) {
    this.base = load(BASE);
    files.forEach(file -> further.add(load(file)));
  }

  static Restrictor load(String file) {
    try {
      Restrictor policy = RestrictorFactory.lookupPolicyRestrictor("classpath:/" + file);
      if (policy == null) {
        throw new IllegalStateException("Not on the class path: " + file);
      }
      return policy;
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  @Override
  public boolean isOperationAllowed(ObjectName name, String operation) {
    return base.isOperationAllowed(name, operation)
        || further.stream().anyMatch(policy -> policy.isOperationAllowed(name, operation));
  }

  @Override
  public boolean isHttpMethodAllowed(HttpMethod method) {
    return base.isHttpMethodAllowed(method);
  }

  @Override
  public boolean isTypeAllowed(RequestType type) {
    return base.isTypeAllowed(type);
  }

  @Override
  public boolean isAttributeReadAllowed(ObjectName name, String attribute) {
    return base.isAttributeReadAllowed(name, attribute);
  }

  @Override
  public boolean isAttributeWriteAllowed(ObjectName name, String attribute) {
    return base.isAttributeWriteAllowed(name, attribute);
  }

  @Override
  public boolean isRemoteAccessAllowed(String... callers) {
    return base.isRemoteAccessAllowed(callers);
  }

  @Override
  public boolean isOriginAllowed(String origin, boolean strictOnly) {
    return base.isOriginAllowed(origin, strictOnly);
  }

  @Override
  public boolean isObjectNameHidden(ObjectName name) {
    return base.isObjectNameHidden(name);
  }

  @Override
  public boolean ignoreScheme() {
    return base.ignoreScheme();
  }
}
