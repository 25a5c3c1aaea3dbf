"""What to change and what to buy: consults the predictor, prices and offers."""
