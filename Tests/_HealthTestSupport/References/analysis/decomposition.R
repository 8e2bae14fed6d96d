# Reference values of R's stl (package stats); writes decomposition-R.json beside itself.
#
#     Rscript decomposition.R
#
# Deterministic: the series are formulas. MSTL is written with stl as its paper says.

golden <- 0.6180339887498949
series <- function(count, period, spikes = FALSE, year = 0) {
  i <- seq_len(count) - 1
  y <- 60 + 0.03 * i + 3 * sin(2 * pi * i / period) + 5 * ((golden * i) %% 1 - 0.5)
  if (spikes) y[seq(12, count, 29)] <- y[seq(12, count, 29)] + 40
  if (year) y <- y + 7 * cos(2 * pi * i / year)
  y
}

numbers <- function(values) paste0("[", paste(sprintf("%.17g", values), collapse = ","), "]")
text <- function(name, y, periods, options, every, trend, seasons, weights) {
  rows <- seq(1, length(y), every)
  parts <- paste(sapply(seasons, function(season) numbers(season[rows])), collapse = ",")
  sprintf(paste0('{"name":"%s","periods":%s,"options":%s,"every":%d,"series":%s,"trend":%s,',
                 '"seasons":[%s],"weights":%s}'),
          name, numbers(periods), options, every, numbers(y), numbers(trend[rows]), parts,
          numbers(weights[rows]))
}
case <- function(name, y, period, options, ...) {
  fit <- stl(ts(y, frequency = period), ...)
  text(name, y, period, options, 1, fit$time.series[, "trend"],
       list(fit$time.series[, "seasonal"]), fit$weights)
}

mstl <- function(y, periods, windows) {
  found <- lapply(periods, function(period) 0)
  rest <- y
  for (pass in 1:2) for (i in seq_along(periods)) {
    rest <- rest + found[[i]]
    # The low-pass window is the smallest odd number above the period, as in statsmodels.
    fit <- stl(ts(rest, frequency = periods[i]), s.window = windows[i], s.degree = 1, s.jump = 1,
               t.jump = 1, l.jump = 1, l.window = periods[i] + 2, inner = 5)
    found[[i]] <- as.vector(fit$time.series[, "seasonal"])
    rest <- rest - found[[i]]
  }
  list(trend = as.vector(fit$time.series[, "trend"]), seasons = found, weights = fit$weights)
}

# R's low-pass window is the smallest odd number from the period.
base <- '"low_pass":7,"tenth":true,"seasonal_deg":0,"inner":2'
cases <- c(
  case("R", series(120, 7), 7, sprintf('{%s}', base), s.window = 7),
  case("R, robust", series(204, 7, TRUE), 7,
       '{"low_pass":7,"tenth":true,"seasonal_deg":0,"robust":true,"inner":1}', s.window = 7, robust = TRUE),
  case("R, jumps of 1", series(121, 7), 7, '{"low_pass":7,"seasonal_deg":0,"inner":2}',
       s.window = 7, s.jump = 1, t.jump = 1, l.jump = 1),
  case("R, line", series(150, 12), 12, '{"tenth":true,"inner":2}', s.window = 13, s.degree = 1) |>
    sub(pattern = '"inner":2', replacement = '"seasonal":13,"inner":2'),
  case("R, periodic", series(120, 7), 7, sprintf('{%s,"periodic":true}', base),
       s.window = "periodic"),
  case("R, periodic, jumps of 1", series(123, 7), 7, '{"low_pass":7,"inner":2,"periodic":true}',
       s.window = "periodic", s.jump = 1, t.jump = 1, l.jump = 1),
  case("R, periodic, robust", series(204, 7, TRUE), 7,
       '{"low_pass":7,"tenth":true,"periodic":true,"robust":true,"inner":1}', s.window = "periodic",
       robust = TRUE))
y <- series(800, 7, year = 365)
fit <- mstl(y, c(7, 365), c(11, 15))
cases <- c(cases, text("R, MSTL", y, c(7, 365), '{"multiple":true}', 4, fit$trend, fit$seasons,
                       fit$weights))
folder <- dirname(sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE)))
writeLines(c(sprintf('{"source":"decomposition.R","versions":{"R":"%s"},"cases":[',
                     paste(R.version$major, R.version$minor, sep = ".")),
             paste(cases, collapse = ",\n"), "]}"), file.path(folder, "decomposition-R.json"))
