# The same reference values by R, from relations.tsv: Rscript relations.R > relations-r.json
columns <- read.table("relations.tsv", header = TRUE, sep = "\t", colClasses = "numeric")
number <- function(x) ifelse(is.finite(x), formatC(x, digits = 17, format = "g"), "null")
list_of <- function(x) paste0("[", paste(number(x), collapse = ", "), "]")
rows <- c()
for (pair in list(c("y", "z"), c("y", "tied"), c("tied", "far"), c("far", "slow"), c("slow", "y"))) {
  for (lag in -3:3) {
    a <- columns[[pair[1]]][(1 + max(0, -lag)):(120 - max(0, lag))]
    b <- columns[[pair[2]]][(1 + max(0, lag)):(120 - max(0, -lag))]
    s <- suppressWarnings(cor.test(a, b, method = "spearman", exact = FALSE))
    p <- cor.test(a, b)
    rows <- c(rows, sprintf(
      '  {"x": "%s", "y": "%s", "lag": %d, "spearman": %s, "pearson": %s}', pair[1], pair[2], lag,
      list_of(c(s$estimate, s$p.value)), list_of(c(p$estimate, p$p.value, p$conf.int))))
  }
}
published <- c(.001, .008, .039, .041, .042, .06, .074, .205, .212, .216)
adjusted <- sprintf('  "p": %s, "fdr_bh": %s, "fdr_by": %s, "holm": %s', list_of(published),
  list_of(p.adjust(published, "BH")), list_of(p.adjust(published, "BY")),
  list_of(p.adjust(published, "holm")))
partial <- c()
for (given in list(c("tied"), c("tied", "slow"), c("tied", "slow", "far"))) {
  for (method in c("pearson", "spearman")) {
    inverse <- solve(cor(columns[, c("y", "z", given)], method = method))
    r <- -inverse[1, 2] / sqrt(inverse[1, 1] * inverse[2, 2])
    freedom <- 120 - 2 - length(given)
    p <- 2 * pt(abs(r) * sqrt(freedom / (1 - r^2)), freedom, lower.tail = FALSE)
    partial <- c(partial, sprintf('  {"given": [%s], "method": "%s", "coefficient": %s, "pValue": %s}',
      paste0('"', given, '"', collapse = ", "), method, number(r), number(p)))
  }
}
components <- prcomp(columns, scale. = TRUE)
loadings <- apply(components$rotation, 2, function(w) w * sign(w[which.max(abs(w))]))
models <- sapply(c("y", "slow"), function(name) {
  sprintf('  "%s": %s', name, list_of(ar(columns[[name]], order.max = 14)$ar))
})
cat('{\n "versions": {"R": "', as.character(getRversion()), '"},\n "correlations": [\n',
  paste(rows, collapse = ",\n"), '\n ],\n "adjusted": {\n', adjusted, '\n },\n "partial": [\n',
  paste(partial, collapse = ",\n"), '\n ],\n "components": {\n  "variances": ',
  list_of(components$sdev^2), ',\n  "loadings": [',
  paste(apply(loadings, 2, list_of), collapse = ",\n   "), ']\n },\n "yuleWalker": {\n',
  paste(models, collapse = ",\n"), "\n }\n}\n", sep = "")
