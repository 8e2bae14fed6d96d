# Fitness and fatigue by stats::filter, impulses and zones by hand, as "name value". No input.
say <- function(name, value) cat(sprintf("%s %.17g\n", name, value))
load <- rep(c(50, 0, 80, 0, 0, 120, 60), 8)
ema <- function(x, share) as.numeric(stats::filter(share * x, 1 - share, method = "recursive"))
for (n in c(42, 7)) {
  a <- ema(load, 1 / n); b <- ema(load, 1 - exp(-1 / n))
  say(sprintf("reciprocal_%d_20", n), a[20]); say(sprintf("reciprocal_%d_56", n), a[56])
  say(sprintf("exponential_%d_20", n), b[20]); say(sprintf("exponential_%d_56", n), b[56])
}
say("men", 60 * (155 - 55) / (190 - 55) * 0.64 * exp(1.92 * (155 - 55) / (190 - 55)))
say("women", 60 * (155 - 55) / (190 - 55) * 0.86 * exp(1.67 * (155 - 55) / (190 - 55)))
# A curve: one rate every 7 to 12 s, with a gap of 5 minutes; a rate holds for at most 60 s.
i <- 0:399; times <- 9 * i + (i * i) %% 3 + ifelse(i >= 200, 300, 0); rates <- 80 + (11 * i * i + 5 * i) %% 121
held <- pmin(60, c(diff(times), NA)); held[400] <- held[399]
share <- pmin(1, pmax(0, (rates - 55) / (190 - 55)))
say("curve_men", sum(held / 60 * share * 0.64 * exp(1.92 * share))); say("curve_women", sum(held / 60 * share * 0.86 * exp(1.67 * share)))
zone <- pmin(5, findInterval(rates * 10, 190 * 5:10))
for (z in 1:5) say(sprintf("zone_%d", z), sum(held[zone == z]) / 60)
say("edwards", sum(held / 60 * zone))
