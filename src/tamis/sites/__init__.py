"""What is learned about a site: which blocks repeat on its pages, and what labelled pages say about its templates.

`tamis.sites.block_keys` identifies blocks across pages, `tamis.sites.sketch` counts them in bounded memory, and
`tamis.sites.profile` turns the counts into evidence that shifts the logits of sift.
"""
