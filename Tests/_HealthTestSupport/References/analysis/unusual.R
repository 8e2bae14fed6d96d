# Medians, mad and quantiles of R. Run: Rscript unusual.R > unusual-r.json (deterministic).
# The series are those of unusual.py.
i <- 0:119
plain <- 60 + 0.03 * i + 3 * sin(2 * pi * i / 7) + 5 * ((i * 0.6180339887498949) %% 1 - 0.5)
plain[101] <- plain[101] + 12
flat <- ifelse(i %% 10 == 3, 64, 60)
flat[91] <- 71
late <- 90:109
holes <- plain
holes[c(0, 1, 5, 30, 31, 77, 78, 79, 119, late[late %% 3 != 0]) + 1] <- NA
series <- list(plain = plain, holes = holes, flat = flat)
sources <- as.integer(i >= 50) + as.integer(i >= 70 & i < 75)
text <- function(x) if (is.na(x)) "null" else sprintf("%.17g", x)
cases <- c()
for (name in names(series)) for (size in c(28, 7)) for (by in c(FALSE, TRUE)) {
  v <- series[[name]]
  least <- if (size == 28) 14 else 4
  rows <- c()
  for (row in seq_along(v)) {
    before <- if (row == 1) integer() else max(1, row - size):(row - 1)
    if (by) before <- before[sources[before] == sources[row]]
    b <- v[before]
    b <- b[!is.na(b)]
    m <- NA; d <- NA; z <- NA
    if (length(b) >= least) {
      m <- median(b)
      d <- mad(b, constant = 1)
      spread <- if (d > 0) d / 0.6745 else 1.253314 * mean(abs(b - m))
      if (spread > 0) z <- (v[row] - m) / spread
    }
    rows <- c(rows, sprintf('{"count":%d,"median":%s,"mad":%s,"z":%s}', length(b), text(m), text(d), text(z)))
  }
  cases <- c(cases, sprintf('{"series":"%s","baseline":%d,"least":%d,"bySource":%s,"rows":[%s]}', name, size, least,
                            tolower(as.character(by)), paste(rows, collapse = ",")))
}
ranges <- c()
for (name in names(series)) for (size in c(28, 120)) for (low in c(0.05, 0.1, 0.25, 0)) {
  v <- tail(series[[name]], size)
  v <- v[!is.na(v)]
  q <- c(quantile(v, low, type = 7), median(v), quantile(v, 1 - low, type = 7))
  ranges <- c(ranges, sprintf('{"series":"%s","rows":%d,"low":%.17g,"high":%.17g,"count":%d,"values":[%s]}', name, size,
                              low, 1 - low, length(v), paste(sprintf("%.17g", q), collapse = ",")))
}
cat(sprintf('{"versions":{"R":"%s"},"cases":[%s],"ranges":[%s]}\n', as.character(getRversion()),
            paste(cases, collapse = ","), paste(ranges, collapse = ",")))
