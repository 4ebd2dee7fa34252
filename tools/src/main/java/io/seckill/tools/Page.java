package io.seckill.tools;

import freemarker.cache.ClassTemplateLoader;
import freemarker.template.Configuration;
import freemarker.template.DefaultObjectWrapper;
import freemarker.template.SimpleNumber;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Fills in the tools' templates. A page of {@code page.ftlh} is one file with style, script and
 * charts, and loads nothing else.
 */
public final class Page {
  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot";
  private static final Configuration TEMPLATES = configuration();

  private Page() {}

  /**
   * @param template path on the classpath; the extension {@code ftlh} escapes values for HTML
   * @param model values by their names in the template; an empty {@code OptionalDouble} is a
   *     missing value
   */
  public static String render(String template, Map<String, Object> model) throws IOException {
    Map<String, Object> all = new HashMap<>(model);
    all.put("style", text(UPLOT + ".min.css") + text("page.css"));
    all.put("script", text(UPLOT + ".iife.min.js") + text("charts.js"));
    StringWriter page = new StringWriter();
    try {
      TEMPLATES.getTemplate(template).process(all, page);
    } catch (TemplateException e) {
      throw new IOException("the template " + template + " cannot be filled in", e);
    }
    return page.toString();
  }

  private static Configuration configuration() {
    Configuration templates = new Configuration(Configuration.VERSION_2_3_34);
    templates.setTemplateLoader(new ClassTemplateLoader(Page.class, "/"));
    templates.setDefaultEncoding(StandardCharsets.UTF_8.name());
    templates.setLocale(Locale.ROOT);
    templates.setObjectWrapper(new Values());
    templates.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    templates.setLogTemplateExceptions(false);
    return templates;
  }

  private static String text(String resource) {
    try (InputStream in = Page.class.getResourceAsStream(resource)) {
      Objects.requireNonNull(in, resource);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Values extends DefaultObjectWrapper {
    private Values() {
      super(Configuration.VERSION_2_3_34);
    }

    @Override
    protected TemplateModel handleUnknownType(Object value) throws TemplateModelException {
      if (value instanceof OptionalDouble number) {
        return number.isPresent() ? new SimpleNumber(number.getAsDouble()) : null;
      }
      return super.handleUnknownType(value);
    }
  }
}
