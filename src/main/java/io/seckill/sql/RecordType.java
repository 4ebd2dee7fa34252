package io.seckill.sql;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Makes records of a class and reads their components by name. It inspects the class once. Compiled
 * functions read the components: a method handle that is not a constant took 60 ns longer for the
 * ten parameters of an order.
 */
final class RecordType {
  private static final ClassValue<RecordType> TYPES =
      new ClassValue<>() {
        @Override
        protected RecordType computeValue(Class<?> type) {
          return new RecordType(type);
        }
      };

  private final List<RecordComponent> components;
  private final Map<String, Function<Object, Object>> accessors = new HashMap<>();
  private final MethodHandle constructor;

  private RecordType(Class<?> type) {
    components = List.of(type.getRecordComponents());
    try {
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      for (RecordComponent component : components) {
        accessors.put(component.getName(), accessor(lookup, component));
      }
      Constructor<?> canonical =
          type.getDeclaredConstructor(
              components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new));
      constructor =
          lookup
              .unreflectConstructor(canonical)
              .asSpreader(Object[].class, components.size())
              .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("Not a record whose components can be read: " + type, e);
    }
  }

  @SuppressWarnings("unchecked")
  private static Function<Object, Object> accessor(
      MethodHandles.Lookup lookup, RecordComponent component) throws ReflectiveOperationException {
    MethodHandle accessor = lookup.unreflect(component.getAccessor());
    try {
      return (Function<Object, Object>)
          LambdaMetafactory.metafactory(
                  lookup,
                  "apply",
                  MethodType.methodType(Function.class),
                  MethodType.methodType(Object.class, Object.class),
                  accessor,
                  accessor.type().wrap())
              .getTarget()
              .invoke();
    } catch (RuntimeException | Error | ReflectiveOperationException e) {
      throw e;
    } catch (Throwable e) {
      throw new ReflectiveOperationException(e);
    }
  }

  /** The type of a record class. */
  static RecordType of(Class<?> type) {
    return TYPES.get(type);
  }

  /** Its components, in the order of its constructor. */
  List<RecordComponent> components() {
    return components;
  }

  /** Reads a component of a record of this class; null when there is no such component. */
  Function<Object, Object> accessor(String component) {
    return accessors.get(component);
  }

  /**
   * Makes a record of this class.
   *
   * @throws RuntimeException from its constructor
   */
  Object of(Object... values) {
    try {
      return (Object) constructor.invokeExact(values);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("A constructor throws what it does not declare", e);
    }
  }
}
