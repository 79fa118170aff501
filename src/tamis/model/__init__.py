"""Learned models: weights that are safe to load, and their decisions in NumPy. Training is in `tamis.training`."""
