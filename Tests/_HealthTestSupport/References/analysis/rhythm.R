# The second source of what rhythm.json has, from the same inputs, in base R.
# Run: Rscript rhythm.R > rhythm-r.json (after rhythm.py).

# JSON as R's own lists: the file has only numbers, null, names and plain texts.
text <- paste(readLines("rhythm.json"), collapse = "\n")
text <- gsub("null", "NA", gsub("[]}]", ")", gsub("[[{]", "list(", text)))
inputs <- eval(parse(text = gsub('": ', '" = ', text)))

json <- function(value) {
  if (is.list(value)) {
    items <- vapply(value, json, "")
    if (is.null(names(value))) return(paste0("[", paste(items, collapse = ",\n"), "]"))
    return(paste0("{", paste0('"', names(value), '": ', items, collapse = ",\n "), "}"))
  }
  if (is.character(value)) return(paste0('"', value, '"'))
  numbers <- ifelse(is.na(value), "null", sprintf("%.17g", value))
  if (length(numbers) == 1 && !inherits(value, "AsIs")) numbers
  else paste0("[", paste(numbers, collapse = ", "), "]")
}

cosinor <- function(case) {
  times <- unlist(case$times); values <- unlist(case$values); periods <- unlist(case$periods)
  columns <- do.call(cbind, lapply(periods, function(p) cbind(cospi(2 * times / p), sinpi(2 * times / p))))
  fit <- lm(values ~ columns)
  covariance <- vcov(fit); estimates <- unname(coef(fit)); all <- summary(fit)
  rhythms <- lapply(seq_along(periods), function(k) {
    at <- c(2 * k, 2 * k + 1); b <- estimates[at[1]]; g <- estimates[at[2]]
    block <- unname(covariance[at, at])
    size <- Mod(complex(real = b, imaginary = g))
    jacobian <- rbind(c(b, g) / size, c(g, -b) / size^2)
    errors <- sqrt(diag(jacobian %*% block %*% t(jacobian)))
    rest <- if (ncol(columns) == 2) lm(values ~ 1) else lm(values ~ columns[, -c(2 * k - 1, 2 * k)])
    test <- anova(rest, fit)
    list(period = periods[k], cosine = b, sine = g, cosineError = sqrt(block[1, 1]),
         sineError = sqrt(block[2, 2]), covariance = block[1, 2], amplitude = size,
         amplitudeError = errors[1], acrophase = -Arg(complex(real = b, imaginary = g)),
         acrophaseError = errors[2], f = test$F[2], p = test$`Pr(>F)`[2])
  })
  f <- unname(all$fstatistic)
  interval <- unname(confint(fit)[1, ])
  list(mesor = estimates[1], mesorError = sqrt(covariance[1, 1]), low = interval[1],
       high = interval[2], f = f[1], p = pf(f[1], f[2], f[3], lower.tail = FALSE),
       rSquared = all$r.squared, deviation = all$sigma, rhythms = rhythms)
}

lomb <- function(case) {
  times <- unlist(case$times); values <- unlist(case$values); frequencies <- unlist(case$frequencies)
  n <- length(times)
  power <- vapply(frequencies, function(f) {
    summary(lm(values ~ cospi(2 * f * times) + sinpi(2 * f * times)))$r.squared
  }, 0)
  # Baluev 2008, table 1, for z1 = (n - 1) Z / 2.
  bandwidth <- max(frequencies) * sqrt(4 * pi * var(times) * (n - 1) / n)
  gamma1 <- sqrt(2 / (n - 1)) * exp(lgamma((n - 1) / 2) - lgamma((n - 2) / 2))
  probability <- function(z) {
    z1 <- (n - 1) * z / 2
    single <- (1 - 2 * z1 / (n - 1))^((n - 3) / 2)
    tau <- gamma1 * bandwidth * (1 - 2 * z1 / (n - 1))^((n - 4) / 2) * sqrt(z1)
    single + (1 - single) * -expm1(-tau)
  }
  levels <- if (n > 20) vapply(unlist(case$probabilities), function(p) {
    uniroot(function(z) log(probability(z)) - log(p), c(1 / (n - 3), 0.999), tol = 1e-15)$root
  }, 0) else numeric(0)
  list(name = case$name, power = I(power), probability = I(probability(unlist(case$asked))),
       level = I(levels))
}

regularity <- function(case) {
  days <- lapply(case$days, unlist)
  pairs <- lapply(seq_len(length(days) - 1), function(d) {
    m <- min(length(days[[d]]), length(days[[d + 1]]))
    days[[d]][1:m] == days[[d + 1]][1:m]
  })
  -100 + 200 * mean(unlist(pairs), na.rm = TRUE)
}

circular <- function(case) {
  hours <- unlist(case$hours)
  z <- mean(exp(2i * pi * hours / 24))
  list(mean = (Arg(z) * 12 / pi) %% 24, deviation = sqrt(-2 * log(Mod(z))) * 12 / pi, length = Mod(z))
}

activity <- function(case) {
  values <- unlist(case$values)
  hour <- factor((seq_along(values) - 1) %% 24)
  table <- summary(aov(values ~ hour))[[1]]$`Sum Sq`
  day <- as.vector(tapply(values, hour, mean))
  spells <- function(k) rowSums(embed(c(day, day), k)[1:24, ]) / k
  least <- spells(5); most <- spells(10)
  list(name = case$name,
       # The share of the variance that the hour explains.
       stability = table[1] / sum(table),
       # Von Neumann's ratio of the variances of steps and of values.
       variability = mean(diff(values)^2) / mean((values - mean(values))^2),
       least = min(least), leastOnset = which.min(round(least, 9)) - 1, most = max(most),
       mostOnset = which.max(round(most, 9)) - 1,
       relative = (max(most) - min(least)) / (max(most) + min(least)))
}

cat(json(list(
  version = R.version.string,
  cosinor = lapply(inputs$cosinor, cosinor), lombScargle = lapply(inputs$lombScargle, lomb),
  regularity = lapply(inputs$regularity, regularity), circular = lapply(inputs$circular, circular),
  activity = lapply(inputs$activity, activity))), "\n")
