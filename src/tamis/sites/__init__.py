"""What is learned about a site: profiles and how one is chosen for a page, learning them, labels of pages.

The evidence of a profile is part of sift (`tamis.sift.site`).
"""
