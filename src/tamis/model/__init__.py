"""What was learned: weights that are safe to load, decisions in NumPy, training that can be repeated."""
