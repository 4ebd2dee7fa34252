package io.seckill.drill.run;

/** Builds an HTML page that needs nothing but itself. */
final class Page {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: #1d2329; --soft: #5b6670; --line: #d9dee3; --paper: #ffffff;
              --good: #1a7f4b; --bad: #c0292b; --box: #f5f7f9 }
      @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa5af; --line: #39424a; --paper: #15191d;
              --good: #4cc38a; --bad: #ff6b6b; --box: #1e2429 } }
      body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
             max-width: 1100px; padding: 24px }
      h1 { font-size: 1.5rem; margin: 0 0 4px } h2 { font-size: 1.1rem; margin: 32px 0 8px }
      p { margin: 4px 0 } .soft { color: var(--soft) } .good { color: var(--good) } .bad { color: var(--bad) }
      .verdict { font-weight: 600; font-size: 1.1rem }
      .tiles { display: flex; flex-wrap: wrap; gap: 8px; margin: 16px 0 }
      .tiles div { background: var(--box); padding: 8px 16px; border-radius: 6px; min-width: 90px }
      .tiles b { display: block; font-size: 1.3rem; font-variant-numeric: tabular-nums }
      table { border-collapse: collapse; width: 100% } table.narrow { width: auto } th { text-align: left; font-weight: 600 }
      td, th { border-bottom: 1px solid var(--line); padding: 5px 12px 5px 0; vertical-align: top }
      td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
      code, pre { font: 12.5px/1.45 ui-monospace, monospace } pre { background: var(--box); padding: 10px; white-space: pre-wrap;
             overflow-wrap: anywhere }
      svg { width: 100%; height: auto; display: block } svg text { fill: var(--soft); font: 11px system-ui, sans-serif }
      .legend span { display: inline-block; margin-right: 16px } .legend i { display: inline-block; width: 10px; height: 10px;
             margin-right: 5px } a { color: inherit } details { margin: 4px 0 }
      .wide { overflow-x: auto } td a { margin-right: 8px } td.first { white-space: nowrap }
      td.bug { width: 32% }
      """;

  private final StringBuilder html = new StringBuilder();

  Page(String title) {
    html.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width\"><title>")
        .append(escape(title))
        .append("</title><style>")
        .append(STYLE)
        .append("</style></head><body>\n");
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Text with the arguments escaped. */
  Page add(String format, Object... arguments) {
    Object[] escaped = new Object[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      escaped[i] = arguments[i] instanceof String text ? escape(text) : arguments[i];
    }
    html.append(String.format(format, escaped)).append('\n');
    return this;
  }

  /** HTML as it is. */
  Page raw(String ready) {
    html.append(ready).append('\n');
    return this;
  }

  @Override
  public String toString() {
    return html + "</body></html>\n";
  }
}
