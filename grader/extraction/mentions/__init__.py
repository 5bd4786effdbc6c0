"""Where a text names given words, options or a published answer, and whether it means them."""
