"""Methods that the papers compare themselves with: one paper, one file.

They follow the descriptions in the papers that compare with them. A constant that these do not give is our choice,
and its comment says how it was chosen.
"""
