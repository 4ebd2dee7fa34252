package io.seckill.sale;

import io.seckill.domain.BookSnapshot;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/** The steps of the routes that fill the node's list of sales. */
final class SaleSteps {
  private static final String PRODUCT_ID = "productId";
  private static final int TURNS_BETWEEN_FULL_LOADS = 60;

  private final SaleRegistry registry;

  SaleSteps(SaleRegistry registry) {
    this.registry = registry;
  }

  /**
   * Sets the parameters of {@code sql/sales.sql}. Settled sales are read only now and then, and
   * when a sale seems to have been settled.
   */
  Processor askForSales() {
    return exchange -> {
      long turn = exchange.getProperty(Exchange.TIMER_COUNTER, 0L, Long.class);
      boolean all =
          !registry.isLoaded() || registry.isSettledSince() || turn % TURNS_BETWEEN_FULL_LOADS == 0;
      exchange.getMessage().setBody(Map.of("settledToo", all ? 1 : 0));
    };
  }

  /** Takes the rows of {@code sql/sales.sql}. */
  Processor takeSales() {
    return exchange -> registry.load(rows(exchange));
  }

  /** Takes the row of {@code sql/sale.sql}, if there is one. */
  Processor takeSale() {
    return exchange -> rows(exchange).forEach(registry::put);
  }

  /** Takes the rows of {@code sql/stock-of-sales.sql}; the units added are a book's moves. */
  @SuppressWarnings("unchecked")
  Processor takeStock() {
    return exchange -> {
      List<SaleStock> stock = exchange.getMessage().getBody(List.class);
      for (SaleStock sale : stock) {
        registry.putBook(sale.id(), new BookSnapshot(sale.count(), 0, sale.added(), sale.epoch()));
      }
    };
  }

  /**
   * Takes an event. Ends the route, unless the sale must be read again: then sets the product as
   * the statement's parameter.
   */
  Processor takeEvent(SoldOutGate gate) {
    return exchange -> {
      SaleEvent event = SaleEvent.parse(exchange.getMessage().getBody(String.class)).orElse(null);
      if (event != null) {
        gate.open(event.productId());
      }
      if (event instanceof SaleEvent.Stock stock) {
        registry.putStock(stock.productId(), stock.available(), stock.moves());
      }
      if (event instanceof SaleEvent.Changed changed) {
        exchange.getMessage().setBody(Map.of(PRODUCT_ID, changed.productId()));
      } else {
        exchange.setRouteStop(true);
      }
    };
  }

  @SuppressWarnings("unchecked")
  private static List<SaleRow> rows(Exchange exchange) {
    return exchange.getMessage().getBody(List.class);
  }
}
