package io.seckill.book;

import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;

/** Makes the beans that hold what a node knows of books without asking Redis. */
@Configuration
public class BookConfiguration {

  @BindToRegistry
  public RecentAdmissions recentAdmissions(
      @PropertyInject("seckill.rebuild.recent-admissions") int capacity) {
    return new RecentAdmissions(capacity);
  }
}
