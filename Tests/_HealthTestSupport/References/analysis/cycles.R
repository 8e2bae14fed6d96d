# Spreads of the lengths by base R, as "name value"; the lengths are given as arguments.
x <- as.numeric(commandArgs(trailingOnly = TRUE))
say <- function(name, value) cat(sprintf("%s %.17g\n", name, value))
say("median", median(x)); say("lower", quantile(x, .25, type = 7)); say("upper", quantile(x, .75, type = 7)); say("sd", sd(x))
say("least", min(x)); say("greatest", max(x))
