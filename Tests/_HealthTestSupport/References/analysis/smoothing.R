# Whittaker's curves by R's dense solver. Run: Rscript smoothing.R > smoothing-r.json (deterministic).
# The series are those of smoothing.py.
i <- 0:119
plain <- 60 + 0.03 * i + 3 * sin(2 * pi * i / 7) + 5 * ((i * 0.6180339887498949) %% 1 - 0.5)
late <- 90:109
gaps <- list(plain = c(), gap = 40:46, holes = c(0, 1, 5, 30, 31, 77, 78, 79, 119, late[late %% 3 != 0]))
number <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ","), "]")
out <- c()
for (name in names(gaps)) for (order in 1:3) for (lambda in c(0.1, 1, 100, 12345)) {
  w <- as.numeric(!(i %in% gaps[[name]]))
  rows <- min(which(w > 0)):max(which(w > 0))
  weights <- w[rows]
  D <- diff(diag(length(rows)), differences = order)
  A <- diag(weights) + lambda * t(D) %*% D
  curve <- solve(A, weights * plain[rows])
  trace <- sum(weights * diag(solve(A)))
  m <- sum(weights)
  gcv <- m * sum(weights * (plain[rows] - curve)^2) / (m - trace)^2
  out <- c(out, sprintf('{"series":"%s","order":%d,"lambda":%.17g,"start":%d,"trace":%.17g,"gcv":%.17g,"curve":%s}',
                        name, order, lambda, rows[1] - 1, trace, gcv, number(curve)))
}
cat(sprintf('{"versions":{"R":"%s"},"curves":[%s]}\n', as.character(getRversion()), paste(out, collapse = ",")))
