"""The methods that the papers measured themselves against: one paper, one file.

They are known here by what is written about them in the papers that measured them. A constant that those do not give
is our choice, and its comment says what it was chosen by.
"""
