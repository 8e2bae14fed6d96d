extension PageTable {
  /// Writes the last rows as a table, the newest first, for pages without a script.
  func write(rows count: Int, to markup: inout Markup, _ page: Page) {
    markup.element(
      "div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": head]
    ) { markup in
      markup.element("table", ["class": "data", "data-ask": ask.text]) { markup in
        markup.element("thead") { markup in
          markup.element("tr") { markup in
            markup.element("th", ["scope": "col"], head)
            for column in columns {
              markup.element(
                "th", ["scope": "col", "class": "n", "data-stat": column.stat], column.name)
            }
          }
        }
        markup.element("tbody") { markup in
          for row in (max(0, self.count - count)..<self.count).reversed() {
            markup.element("tr", ["data-start": starts[row]]) { markup in
              markup.element("th", ["scope": "row"], page.dates.start(of: starts[row], self.row))
              for column in columns {
                let text =
                  column.texts?[row]
                  ?? column.values[row].map { page.writer.text($0, column.form) } ?? "–"
                markup.element("td", ["class": "n"]) { $0.element("span", ["dir": "ltr"], text) }
              }
            }
          }
        }
      }
    }
  }
}
