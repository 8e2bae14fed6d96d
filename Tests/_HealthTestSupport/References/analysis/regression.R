# The second source of regression.json: base R and MASS, started by regression.py.
suppressWarnings(suppressMessages(library(MASS)))
input <- file("stdin", "r")
line <- function() readLines(input, 1)
numbers <- function() as.numeric(strsplit(line(), " ")[[1]])
put <- function(..., values) cat(paste(c(..., paste(sprintf("%.17g", values), collapse = " ")), collapse = "|"), "\n", sep = "")
cat(sprintf("version|R|%s\n", getRversion())); cat(sprintf("version|MASS|%s\n", packageVersion("MASS")))
# rlm divides by 0.6745; this k makes k * scale that of the third quartile itself.
huber <- function(kind, name, X, y) {
  k <- 1.345 * 0.6745 / qnorm(0.75)
  fit <- rlm(X, y, psi = psi.huber, k = k, scale.est = "MAD", maxit = 20000, acc = 1e-14)
  s <- median(abs(fit$residuals)) / qnorm(0.75); u <- fit$residuals / s
  psi <- pmax(-1.345, pmin(1.345, u)); inside <- as.numeric(abs(u) <= 1.345)
  n <- length(y); p <- ncol(X); m <- mean(inside)
  kappa <- 1 + p * mean((inside - m)^2) / (n * m^2)
  H <- kappa^2 * sum(psi^2) / (n - p) * s^2 / m^2 * chol2inv(qr.R(qr(X)))
  pivot <- qr(X)$pivot; e <- numeric(p); e[pivot] <- sqrt(diag(H))
  put(kind, name, "huberCoefficients", values = unname(fit$coefficients))
  put(kind, name, "huberScale", values = s)
  put(kind, name, "huberErrors", values = e)
}
neweyWest <- function(X, e, lag, small) {
  n <- nrow(X); U <- X * e; G <- crossprod(U)
  if (lag > 0) for (l in 1:lag) {
    A <- crossprod(U[(l + 1):n, , drop = FALSE], U[1:(n - l), , drop = FALSE])
    G <- G + (1 - l / (lag + 1)) * (A + t(A))
  }
  B <- solve(crossprod(X), tol = 1e-30)
  sqrt(diag(B %*% G %*% B) * (if (small) n / (n - ncol(X)) else 1))
}
# Hamed and Rao (1998), over equal steps: the lags with a significant autocorrelation of the ranks.
hamedRao <- function(y, lags) {
  n <- length(y); d <- outer(seq_len(n), seq_len(n), "-"); s <- (outer(y, y, "-") / d)[d > 0]
  ranks <- rank(y - median(s) * seq_len(n))
  rho <- acf(ranks, lag.max = lags, plot = FALSE)$acf[-1]; k <- seq_len(lags)
  rho[abs(rho) <= qnorm(0.975) / sqrt(n)] <- 0
  S <- sum(sign(s)); t <- table(y)
  v <- (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5))) / 18
  v <- v * (1 + 2 / (n * (n - 1) * (n - 2)) * sum((n - k) * (n - k - 1) * (n - k - 2) * rho))
  z <- (S - sign(S)) / sqrt(v)
  c(S, v, z, 2 * pnorm(-abs(z)))
}
repeat {
  head <- strsplit(line(), "|", fixed = TRUE)[[1]]
  kind <- head[1]; name <- head[2]
  if (kind == "end") break
  if (kind == "trend") {
    x <- numbers(); y <- numbers(); robust <- numbers() == 1
    d <- outer(x, x, "-"); s <- (outer(y, y, "-") / d)[d > 0]
    b <- median(s)
    put(kind, name, "theilSen", values = c(b, median(y) - b * median(x), median(y - b * x)))
    put(kind, name, "tau", values = cor(x, y, method = "kendall"))
    S <- sum(sign(d) * sign(outer(y, y, "-"))) / 2
    put(kind, name, "score", values = S)
    if (!anyDuplicated(x) && !anyDuplicated(y))
      put(kind, name, "exact", values = if (length(x) < 50) cor.test(x, y, method = "kendall", exact = TRUE)$p.value else -1)
    put(kind, name, "normal", values = suppressWarnings(cor.test(x, y, method = "kendall", exact = FALSE))$p.value)
    if (all(diff(x) == 1) && length(x) < 500) {
      put(kind, name, "hamedRao", values = hamedRao(y, length(y) - 1))
      put(kind, name, "hamedRao3", values = hamedRao(y, 3))
    }
    if (robust) huber(kind, name, cbind(1, x), y)
  } else if (kind == "model") {
    const <- numbers() == 1; p <- numbers()
    X <- sapply(1:p, function(i) numbers()); if (const) X <- cbind(1, X)
    y <- numbers(); w <- numbers(); robust <- numbers() == 1
    fit <- lm(y ~ 0 + X, weights = w, tol = 1e-12); g <- summary(fit)
    put(kind, name, "coefficients", values = unname(coef(fit)))
    put(kind, name, "errors", values = unname(g$coefficients[, 2]))
    put(kind, name, "p", values = unname(g$coefficients[, 4]))
    put(kind, name, "deviation", values = g$sigma)
    ci <- confint(fit)
    put(kind, name, "low95", values = unname(ci[, 1])); put(kind, name, "high95", values = unname(ci[, 2]))
    full <- if (const) summary(lm(y ~ X[, -1], weights = w, tol = 1e-12)) else g
    put(kind, name, "rSquared", values = full$r.squared)
    put(kind, name, "F", values = unname(full$fstatistic[1]))
    if (all(w > 0)) for (lag in c(4, 7)) {
      r <- residuals(fit) * sqrt(w)
      put(kind, name, paste0("neweyWest", lag), values = neweyWest(X * sqrt(w), r, lag, FALSE))
      put(kind, name, paste0("neweyWest", lag, "Small"), values = neweyWest(X * sqrt(w), r, lag, TRUE))
    }
    if (robust) huber(kind, name, X, y)
  } else if (kind == "minimumNorm") {
    X <- cbind(1, sapply(seq_len(numbers()), function(i) numbers())); y <- numbers()
    d <- svd(X)$d
    put(kind, name, "coefficients", values = as.vector(ginv(X, tol = 16 * nrow(X) * 2^-52) %*% y))
    put(kind, name, "singularValues", values = d)
    put(kind, name, "rank", values = sum(d > 16 * nrow(X) * 2^-52 * d[1]))
  } else if (kind == "distribution") {
    rows <- lapply(seq_len(numbers()), function(i) numbers())
    f <- switch(name,
      student = function(a) pt(a[2], a[1], lower.tail = FALSE),
      f = function(a) pf(a[3], a[1], a[2], lower.tail = FALSE),
      normal = function(a) pnorm(a[1], lower.tail = FALSE),
      normalQuantile = function(a) qnorm(a[1], lower.tail = FALSE),
      studentQuantile = function(a) qt(a[2], a[1], lower.tail = FALSE))
    put(kind, name, "values", values = sapply(rows, f))
  }
}
