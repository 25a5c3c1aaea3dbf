"""What to change and what to buy, each tried out on the predictor before it is recommended."""
