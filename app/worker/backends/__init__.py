"""The frameworks below Keras: which are here, and what a benchmark needs of each."""
