"""The verdict and the page that shows whether and why it fits."""
