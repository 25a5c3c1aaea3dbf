"""The page of hardware to buy or to rent."""
