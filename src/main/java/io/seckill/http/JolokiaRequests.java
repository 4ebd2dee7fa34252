package io.seckill.http;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanException;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import org.jolokia.server.core.request.EmptyResponseException;
import org.jolokia.server.core.request.JolokiaExecRequest;
import org.jolokia.server.core.request.JolokiaRequest;
import org.jolokia.server.core.request.NotChangedException;
import org.jolokia.server.core.service.api.Restrictor;
import org.jolokia.service.jmx.LocalRequestHandler;

/**
 * Does what callers of Jolokia ask of MBeans. Operations are for those who may, and each is written
 * to the audit before it is done. Requests run on the thread on which {@link #as} was called.
 */
final class JolokiaRequests extends LocalRequestHandler {
  /** Among Jolokia's services, as Camel has it. */
  private static final int ORDER = 1;

  /** Write the audit, so that nobody may stop them. */
  private static final Set<String> AUDIT_ROUTES =
      Set.of(ObjectName.quote("operation-audit"), ObjectName.quote("sale-admin-audit-add"));

  private final Restrictor policy;
  private final Restrictor operations;
  private final Audit audit;
  private final ThreadLocal<Operator> current = new ThreadLocal<>();

  /** Writes that an operation is asked for; throws when it cannot. */
  interface Audit {
    void write(Operator operator, String mbean, String operation, List<?> arguments);
  }

  /**
   * @param policy what callers may do
   * @param operations allows what counts as an operation; null when nothing does
   */
  JolokiaRequests(Restrictor policy, Restrictor operations, Audit audit) {
    super(ORDER);
    this.policy = policy;
    this.operations = operations;
    this.audit = audit;
  }

  /** Runs a call of Jolokia's for a caller, null for one without an admin token. */
  <T> T as(Operator caller, Supplier<T> call) {
    current.set(caller);
    try {
      return call.get();
    } finally {
      current.remove();
    }
  }

  @Override
  public <R extends JolokiaRequest> Object handleRequest(R request, Object previous)
      throws InstanceNotFoundException,
          AttributeNotFoundException,
          ReflectionException,
          MBeanException,
          NotChangedException,
          EmptyResponseException {
    if (request instanceof JolokiaExecRequest exec) {
      if (operations != null) {
        admit(exec);
      }
      if (isDumpOfNodes(exec)
          && policy.isOperationAllowed(exec.getObjectName(), exec.getOperation())) {
        return statistics(exec);
      }
    }
    return super.handleRequest(request, previous);
  }

  private static boolean isDumpOfNodes(JolokiaExecRequest exec) {
    return RouteStatistics.isDump(exec.getObjectName(), exec.getOperation())
        && exec.getArguments() != null
        && exec.getArguments().size() == 2
        && Boolean.parseBoolean(String.valueOf(exec.getArguments().get(1)));
  }

  private static String statistics(JolokiaExecRequest exec)
      throws InstanceNotFoundException, MBeanException {
    boolean full = Boolean.parseBoolean(String.valueOf(exec.getArguments().get(0)));
    try {
      return new RouteStatistics(ManagementFactory.getPlatformMBeanServer())
          .xml(exec.getObjectName(), full);
    } catch (InstanceNotFoundException | MBeanException e) {
      throw e;
    } catch (JMException e) {
      throw new MBeanException(e);
    }
  }

  private void admit(JolokiaExecRequest exec) {
    if (exec.getObjectName().isPattern()) {
      throw new SecurityException("An operation must name one MBean");
    }
    if (!operations.isOperationAllowed(exec.getObjectName(), exec.getOperation())) {
      return; // no operation, or one that the policy refuses
    }
    Operator caller = current.get();
    if (caller == null || !caller.role().includes(Role.OPERATE)) {
      throw new SecurityException(
          "Operation "
              + exec.getOperation()
              + " needs an admin token that may operate as password");
    }
    if (AUDIT_ROUTES.contains(exec.getObjectName().getKeyProperty("name"))) {
      throw new SecurityException("The route writes the audit");
    }
    audit.write(
        caller,
        exec.getObjectNameAsString(),
        exec.getOperation(),
        exec.getArguments() == null ? List.of() : exec.getArguments());
  }
}
